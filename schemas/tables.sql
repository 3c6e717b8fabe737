-- The tables of a hanalyze database, version 7 of the columns.
-- Made by `python -m tools.write_schemas`; do not edit.

CREATE TYPE games_end_condition AS ENUM ('unfinished', 'normal', 'strikeout', 'timeout', 'terminated_by_player', 'speedrun_fail', 'idle_timeout', 'character_softlock', 'all_or_nothing_fail', 'all_or_nothing_softlock', 'terminated_by_vote');

CREATE TYPE turns_action AS ENUM ('play', 'discard', 'colour_clue', 'rank_clue', 'end_game');

CREATE TYPE turns_result AS ENUM ('played', 'misplayed', 'discarded', 'clued', 'ended');

CREATE TYPE turns_pace_risk AS ENUM ('Low', 'Medium', 'High', 'Zero');

CREATE TYPE turns_status AS ENUM ('trash', 'needed', 'critical');

CREATE TYPE clues_kind AS ENUM ('colour', 'rank');

CREATE TYPE cards_touchable AS ENUM ('nothing', 'colour', 'rank', 'both');

CREATE TYPE cards_fate AS ENUM ('in_deck', 'in_hand', 'played', 'misplayed', 'discarded');

CREATE TYPE defects_rule AS ENUM ('unknown_action', 'order_out_of_range', 'card_not_in_hand', 'seat_out_of_range', 'clue_not_in_variant', 'unknown_end', 'action_after_end', 'clue_to_self', 'clue_without_token', 'clue_touches_nothing', 'clue_kind_repeated', 'discard_at_full_tokens', 'deck_differs_from_seed', 'score_differs');

CREATE TYPE conventions_convention AS ENUM ('unexplained', 'play_clue', 'delayed_play_clue', 'five_save', 'two_save', 'critical_save', 'prompt', 'finesse', 'reverse_finesse', 'self_prompt', 'self_finesse', 'double_finesse', 'prompt_finesse', 'hidden_finesse', 'layered_finesse', 'bluff', 'self_bluff', 'fix_clue', 'tempo_clue', 'tempo_clue_stall', 'tempo_chop_move', 'fill_in', 'burn', 'five_stall', 'locked_hand_save', 'eight_clue_save', 'hard_burn', 'trash_chop_move', 'five_chop_move', 'trash_push', 'distribution_clue', 'order_of_ones', 'order_chop_move', 'sarcastic_discard', 'gentlemans_discard', 'baton_discard', 'scream_discard', 'shout_discard', 'generation_discard', 'positional_discard', 'positional_misplay', 'blind_play', 'prompted_play', 'deferral', 'plain_play', 'plain_discard', 'three_bluff', 'critical_colour_bluff', 'hard_bluff', 'good_touch_bluff', 'clandestine_finesse', 'no_information_finesse', 'five_colour_ejection', 'four_charm', 'trash_finesse', 'trash_bluff', 'unknown_trash_discharge', 'five_pull', 'out_of_order_clue', 'blaze_discard', 'chop_move_ignition', 'reverse_trash_finesse', 'elimination', 'unnecessary_push', 'suboptimal_clue', 'assisted_chop_move', 'time_travel_chop_move', 'trash_touch');

CREATE TYPE convention_outcomes_outcome AS ENUM ('nothing_expected', 'open', 'success', 'failed', 'missed', 'stomped', 'broken', 'superseded', 'passed_back', 'censored');

CREATE TYPE convention_outcomes_fault AS ENUM ('none', 'giver', 'player', 'third', 'nobody', 'shared');

CREATE TYPE convention_outcomes_fault_rule AS ENUM ('no_rule', 'intended', 'no_message', 'false_call', 'broken_call', 'wrong_card', 'false_clue', 'bad_card', 'later_copy', 'unlucky', 'broken_chain', 'save_misread', 'not_awaited', 'gamble', 'contradiction', 'unclear_call', 'known_unfit', 'told_trash', 'not_fixed');

CREATE TYPE convention_opportunities_clue_kind AS ENUM ('colour_clue', 'rank_clue');

CREATE TYPE losses_kind AS ENUM ('discard', 'misplay', 'clue', 'play', 'end');

CREATE TYPE losses_cause AS ENUM ('cards', 'time', 'hands', 'order', 'strikes', 'end');

CREATE TABLE games (
    "game_id" BIGINT,
    "digest" VARCHAR,
    "source" VARCHAR,
    "started" VARCHAR,
    "finished" VARCHAR,
    "tags" VARCHAR,
    "source_id" BIGINT,
    "variant" VARCHAR,
    "letters" VARCHAR,
    "colours" VARCHAR,
    "alternating_clues" BOOLEAN,
    "silent_clues" BOOLEAN,
    "variant_id" INTEGER,
    "edition" VARCHAR,
    "seed" VARCHAR,
    "shuffle" VARCHAR,
    "deck_known" TINYINT,
    "starting_player" TINYINT,
    "timed" BOOLEAN,
    "time_base" BIGINT,
    "time_per_turn" BIGINT,
    "speedrun" BOOLEAN,
    "card_cycle" BOOLEAN,
    "deck_plays" BOOLEAN,
    "empty_clues" BOOLEAN,
    "one_extra_card" BOOLEAN,
    "one_less_card" BOOLEAN,
    "all_or_nothing" BOOLEAN,
    "rating" VARCHAR,
    "rules_version" SMALLINT,
    "tables_version" SMALLINT,
    "package_version" VARCHAR,
    "players" TINYINT,
    "turns" SMALLINT,
    "score" TINYINT,
    "raw_score" TINYINT,
    "max_score" TINYINT,
    "full_score" TINYINT,
    "full_tokens" TINYINT,
    "end_condition" games_end_condition,
    "defects" INTEGER,
    "plays" SMALLINT,
    "misplays" SMALLINT,
    "discards" SMALLINT,
    "clues" SMALLINT,
    "strikes" TINYINT,
    "blind_plays" SMALLINT,
    "cards_gotten" TINYINT,
    "first_discard" SMALLINT,
    "min_pace" SMALLINT,
    "min_efficiency" DOUBLE,
    "efficiency" DOUBLE
);

CREATE TABLE seats (
    "game_id" BIGINT,
    "seat" TINYINT,
    "player" VARCHAR
);

CREATE TABLE turns (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "seat" TINYINT,
    "action" turns_action,
    "result" turns_result,
    "order" TINYINT,
    "slot" TINYINT,
    "suit" TINYINT,
    "rank" TINYINT,
    "receiver" TINYINT,
    "clue_value" TINYINT,
    "touched_slots" TINYINT,
    "drawn" TINYINT,
    "score_before" TINYINT,
    "score_after" TINYINT,
    "max_score_before" TINYINT,
    "max_score_after" TINYINT,
    "clue_tokens_before" FLOAT,
    "clue_tokens_after" FLOAT,
    "strikes_before" TINYINT,
    "strikes_after" TINYINT,
    "deck_before" TINYINT,
    "deck_after" TINYINT,
    "pace_before" SMALLINT,
    "pace_after" SMALLINT,
    "pace_risk_before" turns_pace_risk,
    "pace_risk_after" turns_pace_risk,
    "stacks_before" UTINYINT[],
    "stacks_after" UTINYINT[],
    "cards_gotten_before" TINYINT,
    "cards_gotten_after" TINYINT,
    "clues_lost_before" FLOAT,
    "clues_lost_after" FLOAT,
    "clues_left_before" TINYINT,
    "clues_left_after" TINYINT,
    "final_round_before" BOOLEAN,
    "final_round_after" BOOLEAN,
    "future_efficiency_before" DOUBLE,
    "future_efficiency_after" DOUBLE,
    "known_playable" TINYINT,
    "known_trash" TINYINT,
    "known_critical" TINYINT,
    "locked" BOOLEAN,
    "chop" TINYINT,
    "chop_suit" TINYINT,
    "chop_rank" TINYINT,
    "chop_p_critical" DOUBLE,
    "possibilities" TINYINT,
    "p_playable" DOUBLE,
    "p_trash" DOUBLE,
    "p_critical" DOUBLE,
    "best_p_playable" DOUBLE,
    "best_p_trash" DOUBLE,
    "least_p_critical" DOUBLE,
    "best_playable_slot" TINYINT,
    "best_trash_slot" TINYINT,
    "safest_slot" TINYINT,
    "p_double_discard" DOUBLE,
    "could_clue" BOOLEAN,
    "could_discard" BOOLEAN,
    "forced" BOOLEAN,
    "playable_seen" TINYINT,
    "playable_seen_clued" TINYINT,
    "next_chop_critical" BOOLEAN,
    "other_chop_critical" BOOLEAN,
    "clued" BOOLEAN,
    "status" turns_status,
    "playable" BOOLEAN,
    "blind_plays_after" TINYINT,
    "misplays_after" TINYINT,
    "double_discard_after" TINYINT
);

CREATE TABLE clues (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "giver" TINYINT,
    "receiver" TINYINT,
    "kind" clues_kind,
    "value" TINYINT,
    "touched" TINYINT,
    "newly_touched" TINYINT,
    "retouched" TINYINT,
    "trash" TINYINT,
    "duplicates" TINYINT,
    "duplicates_hidden" TINYINT,
    "playable" TINYINT,
    "critical" TINYINT,
    "focus" TINYINT,
    "chop_touched" BOOLEAN,
    "saved" BOOLEAN,
    "bits" DOUBLE,
    "plays_followed" TINYINT,
    "cards_gotten" TINYINT
);

CREATE TABLE cards (
    "game_id" BIGINT,
    "order" TINYINT,
    "suit" TINYINT,
    "rank" TINYINT,
    "holder" TINYINT,
    "drawn_turn" SMALLINT,
    "first_clue_turn" SMALLINT,
    "first_clue_giver" TINYINT,
    "last_clue_turn" SMALLINT,
    "last_clue_giver" TINYINT,
    "colour_clues" SMALLINT,
    "rank_clues" SMALLINT,
    "touchable" cards_touchable,
    "chop_turn" SMALLINT,
    "known_turn" SMALLINT,
    "playable_turn" SMALLINT,
    "fate" cards_fate,
    "fate_turn" SMALLINT
);

CREATE TABLE defects (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "seat" TINYINT,
    "rule" defects_rule,
    "found" VARCHAR
);

CREATE TABLE rejects (
    "reject_id" BIGINT,
    "file" VARCHAR,
    "line" BIGINT,
    "game" VARCHAR,
    "rule" VARCHAR,
    "message" VARCHAR
);

CREATE TABLE ingests (
    "file" VARCHAR,
    "digest" VARCHAR,
    "read" BIGINT,
    "stored" BIGINT,
    "already_there" BIGINT,
    "with_defects" BIGINT,
    "rejected" BIGINT,
    "rules_version" SMALLINT,
    "tables_version" SMALLINT,
    "package_version" VARCHAR,
    "seconds" DOUBLE,
    "at" TIMESTAMP
);

CREATE TABLE convention_games (
    "game_id" BIGINT,
    "level" TINYINT,
    "conventions_version" SMALLINT,
    "chances" VARCHAR,
    "features" VARCHAR
);

CREATE TABLE conventions (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "number" TINYINT,
    "seat" TINYINT,
    "convention" conventions_convention,
    "level" TINYINT,
    "certainty" TINYINT,
    "receiver" TINYINT,
    "focus" TINYINT,
    "focus_suit" TINYINT,
    "focus_rank" TINYINT,
    "cards" TINYINT[],
    "seats" TINYINT,
    "readings" BIGINT,
    "legal" BOOLEAN,
    "reasons" INTEGER,
    "stall_severity" TINYINT,
    "worth" TINYINT,
    "bad_touch" TINYINT,
    "steps" TINYINT
);

CREATE TABLE convention_outcomes (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "number" TINYINT,
    "outcome" convention_outcomes_outcome,
    "closed_turn" SMALLINT,
    "followed" TINYINT,
    "deferrals" TINYINT,
    "strikes" TINYINT,
    "fault" convention_outcomes_fault,
    "fault_seat" TINYINT,
    "fault_rule" convention_outcomes_fault_rule,
    "fault_turn" SMALLINT,
    "unfixed_seat" TINYINT,
    "unfixed_turn" SMALLINT,
    "late_points" TINYINT
);

CREATE TABLE convention_opportunities (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "seat" TINYINT,
    "stall_severity" TINYINT,
    "clues" TINYINT,
    "available" BIGINT,
    "available_more" BIGINT,
    "best_worth" TINYINT,
    "known_playable" TINYINT,
    "known_trash" TINYINT,
    "playable_slots" TINYINT,
    "trash_slots" TINYINT,
    "last_plays" TINYINT,
    "last_discard" BOOLEAN,
    "last_clue" BOOLEAN,
    "chop_slot" TINYINT,
    "due_slot" TINYINT,
    "due_turn" SMALLINT,
    "due_seat" TINYINT,
    "clue_convention" conventions_convention,
    "clue_receiver" TINYINT,
    "clue_kind" convention_opportunities_clue_kind,
    "clue_value" TINYINT,
    "clue_focus" TINYINT,
    "clue_suit" TINYINT,
    "clue_rank" TINYINT,
    "clue_saves" BOOLEAN,
    "clue_fixes" BOOLEAN,
    "clue_stalls" BOOLEAN,
    "clue_gets" TINYINT[]
);

CREATE TABLE chances (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "critical" FLOAT[],
    "playable" FLOAT[],
    "trash" FLOAT[],
    "act_playable" FLOAT,
    "act_critical" FLOAT,
    "act_trash" FLOAT,
    "act_points" FLOAT
);

CREATE TABLE detector_games (
    "game_id" BIGINT,
    "detector" VARCHAR,
    "version" VARCHAR,
    "level" TINYINT,
    "conventions_version" SMALLINT,
    "needs" VARCHAR
);

CREATE TABLE detector_findings (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "number" TINYINT,
    "seat" TINYINT,
    "detector" VARCHAR,
    "version" VARCHAR,
    "label" VARCHAR,
    "level" TINYINT,
    "certainty" TINYINT,
    "cards" TINYINT[],
    "seats" TINYINT,
    "legal" BOOLEAN,
    "reasons" VARCHAR,
    "opportunity" BOOLEAN,
    "outcome" convention_outcomes_outcome,
    "closed_turn" SMALLINT
);

CREATE TABLE detector_problems (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "seat" TINYINT,
    "detector" VARCHAR,
    "version" VARCHAR,
    "rule" VARCHAR,
    "message" VARCHAR
);

CREATE TABLE solved_games (
    "game_id" BIGINT,
    "solver_version" SMALLINT,
    "not_covered" VARCHAR,
    "nodes" BIGINT,
    "game_nodes" BIGINT,
    "seconds" DOUBLE,
    "game_seconds" DOUBLE,
    "looked_at" BIGINT,
    "best_score_low" TINYINT,
    "best_score_high" TINYINT,
    "open_points" TINYINT
);

CREATE TABLE best_scores (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "best_score_after" TINYINT,
    "best_score_exact" BOOLEAN,
    "best_score_high_after" TINYINT
);

CREATE TABLE losses (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "seat" TINYINT,
    "kind" losses_kind,
    "cause" losses_cause,
    "points" TINYINT,
    "best_score_before" TINYINT,
    "best_score_after" TINYINT,
    "exact" BOOLEAN,
    "first" BOOLEAN
);

COMMENT ON TABLE games IS 'One row per game.';

COMMENT ON COLUMN games."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN games."digest" IS 'BLAKE2b hash of players, deck, actions, variant, options, edition, id and seed; the same game in another file has the same digest';

COMMENT ON COLUMN games."source" IS 'origin of the game, according to the log';

COMMENT ON COLUMN games."started" IS 'start time of the game in the format of its source; on hanab.live in UTC';

COMMENT ON COLUMN games."finished" IS 'end time of the game in the format of its source; on hanab.live in UTC';

COMMENT ON COLUMN games."tags" IS 'tags that players gave the game, separated by commas; null without tags';

COMMENT ON COLUMN games."source_id" IS 'number of the game at its source';

COMMENT ON COLUMN games."variant" IS 'name of the variant';

COMMENT ON COLUMN games."letters" IS 'one letter per suit, in order, from the edition''s names of the suits';

COMMENT ON COLUMN games."colours" IS 'the edition''s names of the clue colours, in order, separated by commas';

COMMENT ON COLUMN games."alternating_clues" IS 'whether the variant''s clues must alternate between colour and rank';

COMMENT ON COLUMN games."silent_clues" IS 'whether the variant hides the colour or rank of clues from their receivers';

COMMENT ON COLUMN games."variant_id" IS 'number of the variant on hanab.live';

COMMENT ON COLUMN games."edition" IS 'edition of the rules';

COMMENT ON COLUMN games."seed" IS 'seed of the deck';

COMMENT ON COLUMN games."shuffle" IS 'scheme that turns the seed into the deck; null if the log has neither';

COMMENT ON COLUMN games."deck_known" IS 'number of cards from the top of the deck that the log contains; the order of the remaining cards is arbitrary; null if all cards are known [cards]';

COMMENT ON COLUMN games."starting_player" IS 'option: seat that moved first [seat]';

COMMENT ON COLUMN games."timed" IS 'option: whether the players had clocks';

COMMENT ON COLUMN games."time_base" IS 'option: seconds on each clock at the start [seconds]';

COMMENT ON COLUMN games."time_per_turn" IS 'option: seconds added to the clock each turn [seconds]';

COMMENT ON COLUMN games."speedrun" IS 'option: the game ends when the full score is no longer possible';

COMMENT ON COLUMN games."card_cycle" IS 'option: each clue makes the giver''s chop their newest card';

COMMENT ON COLUMN games."deck_plays" IS 'option: the last card of the deck may be played from the deck';

COMMENT ON COLUMN games."empty_clues" IS 'option: clues that touch no cards are allowed';

COMMENT ON COLUMN games."one_extra_card" IS 'option: hands have one card more';

COMMENT ON COLUMN games."one_less_card" IS 'option: hands have one card fewer';

COMMENT ON COLUMN games."all_or_nothing" IS 'option: the game continues until the score is full or the game is lost';

COMMENT ON COLUMN games."rating" IS 'the edition''s label for the score; null if it has no scale';

COMMENT ON COLUMN games."rules_version" IS 'version of the rules with which the game was replayed';

COMMENT ON COLUMN games."tables_version" IS 'version of the columns';

COMMENT ON COLUMN games."package_version" IS 'version of hanalyze that stored the game';

COMMENT ON COLUMN games."players" IS 'number of players [players]';

COMMENT ON COLUMN games."turns" IS 'actions carried out [turns]';

COMMENT ON COLUMN games."score" IS 'final score [points]';

COMMENT ON COLUMN games."raw_score" IS 'cards on the play stacks at the end, even if the game was lost [points]';

COMMENT ON COLUMN games."max_score" IS 'points still possible at the end with the cards that were not lost [points]';

COMMENT ON COLUMN games."full_score" IS 'points when all stacks are complete [points]';

COMMENT ON COLUMN games."full_tokens" IS 'maximum number of clue tokens [tokens]';

COMMENT ON COLUMN games."end_condition" IS 'how the game ended; unfinished if the log stops before the end';

COMMENT ON COLUMN games."defects" IS 'rules that the log breaks; without the database, only those broken by actions [defects]';

COMMENT ON COLUMN games."plays" IS 'cards played onto a stack [cards]';

COMMENT ON COLUMN games."misplays" IS 'cards misplayed [cards]';

COMMENT ON COLUMN games."discards" IS 'cards discarded [cards]';

COMMENT ON COLUMN games."clues" IS 'clues given [clues]';

COMMENT ON COLUMN games."strikes" IS 'strikes at the end [strikes]';

COMMENT ON COLUMN games."blind_plays" IS 'unclued cards played onto a stack [cards]';

COMMENT ON COLUMN games."cards_gotten" IS 'cards gotten at the end, as defined in `turns` [cards]';

COMMENT ON COLUMN games."first_discard" IS 'turn of the first discard; null without discards [turn]';

COMMENT ON COLUMN games."min_pace" IS 'smallest pace before an action; null if the pace was always null [cards]';

COMMENT ON COLUMN games."min_efficiency" IS 'cards per clue that a full score requires at the start of the game [cards/clue]';

COMMENT ON COLUMN games."efficiency" IS 'cards gotten per clue given or lost, at the end; null if no clue was given or lost [cards/clue]';

COMMENT ON TABLE seats IS 'One row per player of a game.';

COMMENT ON COLUMN seats."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN seats."seat" IS 'number of the seat, from 0 [seat]';

COMMENT ON COLUMN seats."player" IS 'name of the player, as in the log';

COMMENT ON TABLE turns IS 'One row per action carried out, in order of play.';

COMMENT ON COLUMN turns."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN turns."turn" IS 'number of the turn, from 0 [turn]';

COMMENT ON COLUMN turns."seat" IS 'seat of the player to move [seat]';

COMMENT ON COLUMN turns."action" IS 'kind of action; a misplay is a play (see result)';

COMMENT ON COLUMN turns."result" IS 'result of the action';

COMMENT ON COLUMN turns."order" IS 'index in the deck of the card played or discarded [order]';

COMMENT ON COLUMN turns."slot" IS 'slot of the card played or discarded; 1 is the newest card [slot]';

COMMENT ON COLUMN turns."suit" IS 'suit of the card played or discarded [suit]';

COMMENT ON COLUMN turns."rank" IS 'rank of the card played or discarded [rank]';

COMMENT ON COLUMN turns."receiver" IS 'seat that received the clue [seat]';

COMMENT ON COLUMN turns."clue_value" IS 'rank of a rank clue; for a colour clue, index among the variant''s clue colours';

COMMENT ON COLUMN turns."touched_slots" IS 'slots of the receiver''s hand that the clue touched: bit 0 is slot 1 [bits]';

COMMENT ON COLUMN turns."drawn" IS 'card that the player drew afterwards; null if none [order]';

COMMENT ON COLUMN turns."score_before" IS 'before the action: score; zero after a loss in editions where a lost game scores zero [points]';

COMMENT ON COLUMN turns."score_after" IS 'after the action: score; zero after a loss in editions where a lost game scores zero [points]';

COMMENT ON COLUMN turns."max_score_before" IS 'before the action: points still possible with the cards not yet lost [points]';

COMMENT ON COLUMN turns."max_score_after" IS 'after the action: points still possible with the cards not yet lost [points]';

COMMENT ON COLUMN turns."clue_tokens_before" IS 'before the action: clue tokens; also half tokens in Clue Starved [tokens]';

COMMENT ON COLUMN turns."clue_tokens_after" IS 'after the action: clue tokens; also half tokens in Clue Starved [tokens]';

COMMENT ON COLUMN turns."strikes_before" IS 'before the action: strikes [strikes]';

COMMENT ON COLUMN turns."strikes_after" IS 'after the action: strikes [strikes]';

COMMENT ON COLUMN turns."deck_before" IS 'before the action: cards left in the deck [cards]';

COMMENT ON COLUMN turns."deck_after" IS 'after the action: cards left in the deck [cards]';

COMMENT ON COLUMN turns."pace_before" IS 'before the action: number of discards that are still possible without losing a point of the maximum score: score + deck - maximum score + players; null once the deck is empty or the game is over [cards]';

COMMENT ON COLUMN turns."pace_after" IS 'after the action: number of discards that are still possible without losing a point of the maximum score: score + deck - maximum score + players; null once the deck is empty or the game is over [cards]';

COMMENT ON COLUMN turns."pace_risk_before" IS 'before the action: hanab.live''s rating of the pace for the number of players';

COMMENT ON COLUMN turns."pace_risk_after" IS 'after the action: hanab.live''s rating of the pace for the number of players';

COMMENT ON COLUMN turns."stacks_before" IS 'before the action: cards on each play stack; 0 for suits that the variant does not have [cards]';

COMMENT ON COLUMN turns."stacks_after" IS 'after the action: cards on each play stack; 0 for suits that the variant does not have [cards]';

COMMENT ON COLUMN turns."cards_gotten_before" IS 'before the action: cards on the stacks, and needed cards in hands that a clue touched; at most the maximum score [cards]';

COMMENT ON COLUMN turns."cards_gotten_after" IS 'after the action: cards on the stacks, and needed cards in hands that a clue touched; at most the maximum score [cards]';

COMMENT ON COLUMN turns."clues_lost_before" IS 'before the action: clues given, and tokens lost to strikes and to stacks completed at full clue tokens [clues]';

COMMENT ON COLUMN turns."clues_lost_after" IS 'after the action: clues given, and tokens lost to strikes and to stacks completed at full clue tokens [clues]';

COMMENT ON COLUMN turns."clues_left_before" IS 'before the action: clues that can still be given without losing a point; null once the deck is empty [clues]';

COMMENT ON COLUMN turns."clues_left_after" IS 'after the action: clues that can still be given without losing a point; null once the deck is empty [clues]';

COMMENT ON COLUMN turns."final_round_before" IS 'before the action: whether no clues are left or the deck is empty';

COMMENT ON COLUMN turns."final_round_after" IS 'after the action: whether no clues are left or the deck is empty';

COMMENT ON COLUMN turns."future_efficiency_before" IS 'before the action: cards still to get per clue left; null once the deck is empty or no clue is left [cards/clue]';

COMMENT ON COLUMN turns."future_efficiency_after" IS 'after the action: cards still to get per clue left; null once the deck is empty or no clue is left [cards/clue]';

COMMENT ON COLUMN turns."known_playable" IS 'cards in the player''s hand known to be playable [cards]';

COMMENT ON COLUMN turns."known_trash" IS 'cards in the player''s hand known to be trash [cards]';

COMMENT ON COLUMN turns."known_critical" IS 'cards in the player''s hand known to be critical [cards]';

COMMENT ON COLUMN turns."locked" IS 'whether every card in the player''s hand is clued';

COMMENT ON COLUMN turns."chop" IS 'the player''s chop: the oldest unclued card; in a locked hand, the newest card [order]';

COMMENT ON COLUMN turns."chop_suit" IS 'suit of the player''s chop, which the player cannot see [suit]';

COMMENT ON COLUMN turns."chop_rank" IS 'rank of the player''s chop, which the player cannot see [rank]';

COMMENT ON COLUMN turns."chop_p_critical" IS 'chance that the player''s chop was critical, from the player''s point of view [probability]';

COMMENT ON COLUMN turns."possibilities" IS 'possible identities of the card played or discarded, from the player''s point of view [identities]';

COMMENT ON COLUMN turns."p_playable" IS 'chance that the card played or discarded was playable, from the player''s point of view: share of the possible assignments of unseen cards to the whole hand that make it playable [probability]';

COMMENT ON COLUMN turns."p_trash" IS 'chance that the card played or discarded was trash, from the player''s point of view [probability]';

COMMENT ON COLUMN turns."p_critical" IS 'chance that the card played or discarded was critical, from the player''s point of view [probability]';

COMMENT ON COLUMN turns."best_p_playable" IS 'highest chance that a card in the player''s hand was playable [probability]';

COMMENT ON COLUMN turns."best_p_trash" IS 'highest chance that a card in the player''s hand was trash [probability]';

COMMENT ON COLUMN turns."least_p_critical" IS 'lowest chance that a card in the player''s hand was critical [probability]';

COMMENT ON COLUMN turns."best_playable_slot" IS 'slot of the oldest card with best_p_playable [slot]';

COMMENT ON COLUMN turns."best_trash_slot" IS 'slot of the oldest card with best_p_trash [slot]';

COMMENT ON COLUMN turns."safest_slot" IS 'slot of the oldest card with least_p_critical [slot]';

COMMENT ON COLUMN turns."p_double_discard" IS 'chance, from the player''s point of view, that their chop is the last copy of the card that the previous action lost; null unless that card is needed and has one copy left, and for a locked hand [probability]';

COMMENT ON COLUMN turns."could_clue" IS 'whether a clue was legal';

COMMENT ON COLUMN turns."could_discard" IS 'whether a discard was legal';

COMMENT ON COLUMN turns."forced" IS 'whether neither a clue nor a discard was legal, so that a card had to be played';

COMMENT ON COLUMN turns."playable_seen" IS 'playable cards in the other players'' hands [cards]';

COMMENT ON COLUMN turns."playable_seen_clued" IS 'playable clued cards in the other players'' hands [cards]';

COMMENT ON COLUMN turns."next_chop_critical" IS 'whether the next player''s chop was critical; false for a locked hand';

COMMENT ON COLUMN turns."other_chop_critical" IS 'whether the chop of any other player was critical';

COMMENT ON COLUMN turns."clued" IS 'whether a clue had touched the card played or discarded';

COMMENT ON COLUMN turns."status" IS 'status of the card played or discarded, before the action: trash, needed by a stack, or critical (needed, with one copy left; a card that can begin an empty stack of Up or Down only after another such card is lost)';

COMMENT ON COLUMN turns."playable" IS 'whether the card played or discarded was playable';

COMMENT ON COLUMN turns."blind_plays_after" IS 'consecutive successful plays of unclued cards up to this action; any other action resets the count [plays]';

COMMENT ON COLUMN turns."misplays_after" IS 'consecutive misplays up to this action [plays]';

COMMENT ON COLUMN turns."double_discard_after" IS 'hanab.live''s double discard situation: the card just lost, if it is needed and has one copy left, no card in a hand is that copy by its clues alone, and the next player (the one after, if the deck was empty) has an unclued card [order]';

COMMENT ON TABLE clues IS 'One row per clue.';

COMMENT ON COLUMN clues."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN clues."turn" IS 'turn of the clue [turn]';

COMMENT ON COLUMN clues."giver" IS 'seat that gave the clue [seat]';

COMMENT ON COLUMN clues."receiver" IS 'seat that received the clue [seat]';

COMMENT ON COLUMN clues."kind" IS 'kind of clue';

COMMENT ON COLUMN clues."value" IS 'rank, or index among the variant''s clue colours';

COMMENT ON COLUMN clues."touched" IS 'cards that the clue touched [cards]';

COMMENT ON COLUMN clues."newly_touched" IS 'touched cards that no clue had touched before [cards]';

COMMENT ON COLUMN clues."retouched" IS 'touched cards that were clued already [cards]';

COMMENT ON COLUMN clues."trash" IS 'touched cards that were trash [cards]';

COMMENT ON COLUMN clues."duplicates" IS 'newly touched needed cards with another copy that was already clued in any hand, or that is older and also touched by the clue [cards]';

COMMENT ON COLUMN clues."duplicates_hidden" IS 'duplicates whose clued copies were all in the giver''s hand and unknown to the giver [cards]';

COMMENT ON COLUMN clues."playable" IS 'touched cards that were playable [cards]';

COMMENT ON COLUMN clues."critical" IS 'touched cards that were critical [cards]';

COMMENT ON COLUMN clues."focus" IS 'focus of the clue: the chop if newly touched, otherwise the newest newly touched card, otherwise the newest touched card [order]';

COMMENT ON COLUMN clues."chop_touched" IS 'whether the clue newly touched the receiver''s chop';

COMMENT ON COLUMN clues."saved" IS 'whether the clue newly touched the receiver''s chop and the chop was critical';

COMMENT ON COLUMN clues."bits" IS 'information of the clue: sum over the receiver''s cards of log2(possibilities before / possibilities after) [bits]';

COMMENT ON COLUMN clues."plays_followed" IS 'cards that the receiver played onto a stack on their next turn (outcome) [plays]';

COMMENT ON COLUMN clues."cards_gotten" IS 'cards first touched by the clue that count as gotten at the end of the game (outcome); the sum over all clues, plus the blind plays, is the game''s `cards_gotten` before it is capped at the maximum score [cards]';

COMMENT ON TABLE cards IS 'One row per card of the deck.';

COMMENT ON COLUMN cards."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN cards."order" IS 'index of the card in the deck [order]';

COMMENT ON COLUMN cards."suit" IS 'suit of the card [suit]';

COMMENT ON COLUMN cards."rank" IS 'rank of the card [rank]';

COMMENT ON COLUMN cards."holder" IS 'seat that held the card; null if it stayed in the deck [seat]';

COMMENT ON COLUMN cards."drawn_turn" IS 'turn from which the card was in a hand; 0 for the first deal, null if it stayed in the deck [turn]';

COMMENT ON COLUMN cards."first_clue_turn" IS 'turn of the first clue that touched the card [turn]';

COMMENT ON COLUMN cards."first_clue_giver" IS 'seat that gave the first clue to the card [seat]';

COMMENT ON COLUMN cards."last_clue_turn" IS 'turn of the last clue that touched the card [turn]';

COMMENT ON COLUMN cards."last_clue_giver" IS 'seat that gave the last clue to the card [seat]';

COMMENT ON COLUMN cards."colour_clues" IS 'colour clues that touched the card [clues]';

COMMENT ON COLUMN cards."rank_clues" IS 'rank clues that touched the card [clues]';

COMMENT ON COLUMN cards."touchable" IS 'kinds of clues that touch the card in the variant';

COMMENT ON COLUMN cards."chop_turn" IS 'turn from which the card was most recently its holder''s chop [turn]';

COMMENT ON COLUMN cards."known_turn" IS 'turn from which the holder knew the card''s identity [turn]';

COMMENT ON COLUMN cards."playable_turn" IS 'first turn on which the card was in a hand and playable [turn]';

COMMENT ON COLUMN cards."fate" IS 'where the card was at the end of the game, or how it left the hand';

COMMENT ON COLUMN cards."fate_turn" IS 'turn on which the card was played, misplayed or discarded; null for other cards [turn]';

COMMENT ON TABLE defects IS 'One row per rule that a log breaks.';

COMMENT ON COLUMN defects."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN defects."turn" IS 'turn of the action; null if the defect concerns the whole log [turn]';

COMMENT ON COLUMN defects."seat" IS 'seat of the player to move; null if the defect concerns the whole log [seat]';

COMMENT ON COLUMN defects."rule" IS 'the rule that was broken';

COMMENT ON COLUMN defects."found" IS 'description of the action or value that breaks the rule';

COMMENT ON TABLE rejects IS 'One row per log that could not be read or dealt.';

COMMENT ON COLUMN rejects."reject_id" IS 'key, derived from the digest of the other columns';

COMMENT ON COLUMN rejects."file" IS 'path of the file, as given';

COMMENT ON COLUMN rejects."line" IS 'line of the file; null if the whole file is rejected [line]';

COMMENT ON COLUMN rejects."game" IS 'name of the game, if it could be read';

COMMENT ON COLUMN rejects."rule" IS 'short name of the problem';

COMMENT ON COLUMN rejects."message" IS 'description of the problem';

COMMENT ON TABLE ingests IS 'One row per file of a completed run.';

COMMENT ON COLUMN ingests."file" IS 'path of the file, as given';

COMMENT ON COLUMN ingests."digest" IS 'BLAKE2b hash of the uncompressed content of the file; null if it was not read completely';

COMMENT ON COLUMN ingests."read" IS 'games in the file, including unreadable ones [games]';

COMMENT ON COLUMN ingests."stored" IS 'games in the file that were new to the database [games]';

COMMENT ON COLUMN ingests."already_there" IS 'games in the file that were already in the database [games]';

COMMENT ON COLUMN ingests."with_defects" IS 'new games that break a rule [games]';

COMMENT ON COLUMN ingests."rejected" IS 'games that could not be read or dealt [games]';

COMMENT ON COLUMN ingests."rules_version" IS 'version of the rules';

COMMENT ON COLUMN ingests."tables_version" IS 'version of the columns';

COMMENT ON COLUMN ingests."package_version" IS 'version of hanalyze';

COMMENT ON COLUMN ingests."seconds" IS 'wall-clock time of the whole ingest run, which may include other files [seconds]';

COMMENT ON COLUMN ingests."at" IS 'end time of the run (UTC)';

COMMENT ON TABLE convention_games IS 'One row per game read for conventions.';

COMMENT ON COLUMN convention_games."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN convention_games."level" IS 'highest H-Group level that was read';

COMMENT ON COLUMN convention_games."conventions_version" IS 'version of the definitions of conventions';

COMMENT ON COLUMN convention_games."chances" IS 'name of the shipped model that predicted the rows of `chances`';

COMMENT ON COLUMN convention_games."features" IS 'features of the model: conventions (messages and context), or context if conventions are not defined for the variant; null for a game without turns';

COMMENT ON TABLE conventions IS 'One row per finding: what an action meant, judged only by the turns before it.';

COMMENT ON COLUMN conventions."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN conventions."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN conventions."number" IS '0 for the main meaning of the action, 1.. for further meanings';

COMMENT ON COLUMN conventions."seat" IS 'seat that acted [seat]';

COMMENT ON COLUMN conventions."convention" IS 'meaning of the action';

COMMENT ON COLUMN conventions."level" IS 'H-Group level of the convention';

COMMENT ON COLUMN conventions."certainty" IS '100 if earlier turns determine the meaning; less if several readings are possible or a card is unknown [percent]';

COMMENT ON COLUMN conventions."receiver" IS 'seat that the message is for; null without a message [seat]';

COMMENT ON COLUMN conventions."focus" IS 'card that the meaning is about; null if it is about none [order]';

COMMENT ON COLUMN conventions."focus_suit" IS 'suit of the focus [suit]';

COMMENT ON COLUMN conventions."focus_rank" IS 'rank of the focus [rank]';

COMMENT ON COLUMN conventions."cards" IS 'cards that the message calls before the focus, in the order in which they are to be played, then cards that it chop moves or names; -1 for none [order]';

COMMENT ON COLUMN conventions."seats" IS 'seats that hold the focus or one of `cards`: bit 0 is seat 0 [bits]';

COMMENT ON COLUMN conventions."readings" IS 'possible identities of the focus from the receiver''s view: bit suit * 8 + rank; 0 for further meanings [bits]';

COMMENT ON COLUMN conventions."legal" IS 'whether the conventions allow the action';

COMMENT ON COLUMN conventions."reasons" IS 'reasons against or for the action: bit n for `Reason` n [bits]';

COMMENT ON COLUMN conventions."stall_severity" IS 'severity of the stalling situation: 0 none, 1 early game, 2 a discard should be avoided, 3 locked hand, 4 all clue tokens';

COMMENT ON COLUMN conventions."worth" IS 'cards that the message newly gets [cards]';

COMMENT ON COLUMN conventions."bad_touch" IS 'newly touched cards that are trash or duplicates [cards]';

COMMENT ON COLUMN conventions."steps" IS 'plays of other cards that the message calls for before the focus; 0 for further meanings [steps]';

COMMENT ON TABLE convention_outcomes IS 'One row per finding: whether it worked.';

COMMENT ON COLUMN convention_outcomes."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN convention_outcomes."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN convention_outcomes."number" IS 'number of the finding, as in `conventions`';

COMMENT ON COLUMN convention_outcomes."outcome" IS 'whether the actions that the finding expects happened (outcome)';

COMMENT ON COLUMN convention_outcomes."closed_turn" IS 'turn on which the outcome was settled (outcome) [turn]';

COMMENT ON COLUMN convention_outcomes."followed" IS 'steps that were carried out (outcome) [steps]';

COMMENT ON COLUMN convention_outcomes."deferrals" IS 'turns on which the card called next was playable, but its player took another action (outcome) [turns]';

COMMENT ON COLUMN convention_outcomes."strikes" IS 'misplays of called cards (outcome) [strikes]';

COMMENT ON COLUMN convention_outcomes."fault" IS 'role of the player at fault for a misplay; none for other actions and further meanings';

COMMENT ON COLUMN convention_outcomes."fault_seat" IS 'seat at fault; the other seat if the player shares the fault [seat]';

COMMENT ON COLUMN convention_outcomes."fault_rule" IS 'rule that determined the fault: a label of `FaultRule`';

COMMENT ON COLUMN convention_outcomes."fault_turn" IS 'turn of the action at fault; null if the fault is not a single action [turn]';

COMMENT ON COLUMN convention_outcomes."unfixed_seat" IS 'seat of the last other player who could have fixed the wrong clue before the misplay, with nothing urgent to do; null if nobody could, or if a player is at fault for not fixing it [seat]';

COMMENT ON COLUMN convention_outcomes."unfixed_turn" IS 'turn on which the player in unfixed_seat could have fixed the clue [turn]';

COMMENT ON COLUMN convention_outcomes."late_points" IS 'with at most two cards in the deck: points still possible after the best move, minus those after this discard or misplay; the minimum over the hands that the player may hold, or for the true hand if another player is at fault; null otherwise [points]';

COMMENT ON TABLE convention_opportunities IS 'One row per action of a game read for conventions: what its player could have done.';

COMMENT ON COLUMN convention_opportunities."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN convention_opportunities."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN convention_opportunities."seat" IS 'seat to move [seat]';

COMMENT ON COLUMN convention_opportunities."stall_severity" IS 'severity of the stalling situation, as in `conventions`';

COMMENT ON COLUMN convention_opportunities."clues" IS 'legal clues that touch at least one card; 0 if conventions are not defined for the variant [clues]';

COMMENT ON COLUMN convention_opportunities."available" IS 'conventions that a legal clue could have used on its own: bit n for convention n, up to 62 [bits]';

COMMENT ON COLUMN convention_opportunities."available_more" IS 'conventions from 63 on that a legal clue could have used on its own: bit n for convention 63 + n [bits]';

COMMENT ON COLUMN convention_opportunities."best_worth" IS 'most cards that a play, save, fix or tempo clue without bad touch would newly get; a tempo clue counts as one card [cards]';

COMMENT ON COLUMN convention_opportunities."known_playable" IS 'cards in the player''s hand known, or called, to be playable; of two cards known to be copies, only one (`turns.known_playable` counts both) [cards]';

COMMENT ON COLUMN convention_opportunities."known_trash" IS 'cards in the player''s hand known to be trash, also as the second of two copies; none is in `known_playable` [cards]';

COMMENT ON COLUMN convention_opportunities."playable_slots" IS 'slots of the cards in `known_playable`: bit 0 is slot 1 [slots]';

COMMENT ON COLUMN convention_opportunities."trash_slots" IS 'slots of the cards in `known_trash`: bit 0 is slot 1 [slots]';

COMMENT ON COLUMN convention_opportunities."last_plays" IS 'with at most two cards in the deck: slots from which a play is certain to succeed and, for at least one of the hands that the player may hold, keeps as many points possible as the best move; bit 0 is slot 1; null otherwise [slots]';

COMMENT ON COLUMN convention_opportunities."last_discard" IS 'with at most two cards in the deck: whether a discard of trash keeps as many points possible as the best move, for at least one of the hands that the player may hold; null otherwise';

COMMENT ON COLUMN convention_opportunities."last_clue" IS 'with at most two cards in the deck: whether a clue keeps as many points possible as the best move, for at least one of the hands that the player may hold; null otherwise';

COMMENT ON COLUMN convention_opportunities."chop_slot" IS 'slot of the player''s chop: the oldest card that is neither clued nor called nor chop-moved [slot]';

COMMENT ON COLUMN convention_opportunities."due_slot" IS 'slot of the called card that may be playable now; of several, the one called first [slot]';

COMMENT ON COLUMN convention_opportunities."due_turn" IS 'turn of the message that called the card in due_slot [turn]';

COMMENT ON COLUMN convention_opportunities."due_seat" IS 'seat that sent the message of due_turn [seat]';

COMMENT ON COLUMN convention_opportunities."clue_convention" IS 'convention of the best clue; null if there is none. In order of preference: a clue that saves a chop at risk; a clue that stops the next player''s misplay; a play or save clue without a bad card; a 5 stall or a tempo clue if stalling is allowed; a play or save clue with one bad card besides good cards; a tempo clue after which the holder of a playable card, who did not play it on the last turn, knows that it is playable; another stall, with a burn last; a save of a card that the giver may hold; with at most two cards in the deck, any allowed clue. Among play or save clues, the clue that gets the most new cards is best (a tempo clue gets none), then the clue that calls for the fewest plays of other cards; at pace 0 or less, one bad card only decides between clues that are otherwise equal';

COMMENT ON COLUMN convention_opportunities."clue_receiver" IS 'seat that would receive the best clue [seat]';

COMMENT ON COLUMN convention_opportunities."clue_kind" IS 'kind of the best clue';

COMMENT ON COLUMN convention_opportunities."clue_value" IS 'colour or rank of the best clue, as in `turns.clue_value`';

COMMENT ON COLUMN convention_opportunities."clue_focus" IS 'focus of the best clue [order]';

COMMENT ON COLUMN convention_opportunities."clue_suit" IS 'suit of the best clue''s focus [suit]';

COMMENT ON COLUMN convention_opportunities."clue_rank" IS 'rank of the best clue''s focus [rank]';

COMMENT ON COLUMN convention_opportunities."clue_saves" IS 'whether the best clue would save a chop at risk; false if its holder is expected to clue before discarding';

COMMENT ON COLUMN convention_opportunities."clue_fixes" IS 'whether the best clue would stop a misplay of the next player, because it shows what the card is or gets the other copy';

COMMENT ON COLUMN convention_opportunities."clue_stalls" IS 'whether the best clue gets no new card, and so ranks below a safe discard';

COMMENT ON COLUMN convention_opportunities."clue_gets" IS 'identities, as suit * 8 + rank, of the first three cards that the best clue would call before the focus; -1 for none, for a stall and for a card in the hand of the player to move';

COMMENT ON TABLE chances IS 'One row per action of a game read for conventions: the chances of the cards in the player''s hand, by visible cards, messages and context. Compare moves by these chances; the `act_` columns take the decision itself as evidence.';

COMMENT ON COLUMN chances."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN chances."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN chances."critical" IS 'for each slot of the player to move, newest card first: chance before the action that the card was critical, from cards, messages and context, rounded to a thousandth; null for slots without a card [probability]';

COMMENT ON COLUMN chances."playable" IS 'for each slot of the player to move, newest card first: chance before the action that the card was playable, from cards, messages and context, rounded to a thousandth; null for slots without a card [probability]';

COMMENT ON COLUMN chances."trash" IS 'for each slot of the player to move, newest card first: chance before the action that the card was trash, from cards, messages and context, rounded to a thousandth; null for slots without a card [probability]';

COMMENT ON COLUMN chances."act_playable" IS 'chance that the played card was playable, with the play itself as evidence; null for other actions [probability]';

COMMENT ON COLUMN chances."act_critical" IS 'chance that the discarded card was critical, with the discard itself as evidence; null for other actions [probability]';

COMMENT ON COLUMN chances."act_trash" IS 'chance that the discarded card was trash, with the discard itself as evidence; null for other actions [probability]';

COMMENT ON COLUMN chances."act_points" IS 'mean points of the maximum score that this play or discard loses, computed from act_playable or act_critical and the possible identities of the card; null for other actions [points]';

COMMENT ON TABLE detector_games IS 'One row per game and detector of your own that has read the game.';

COMMENT ON COLUMN detector_games."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN detector_games."detector" IS 'name of the detector';

COMMENT ON COLUMN detector_games."version" IS 'version of the detector';

COMMENT ON COLUMN detector_games."level" IS 'highest H-Group level that the built-in reader read';

COMMENT ON COLUMN detector_games."conventions_version" IS 'version of the built-in definitions of conventions';

COMMENT ON COLUMN detector_games."needs" IS 'detectors whose findings this detector uses, with versions: a list in JSON';

COMMENT ON TABLE detector_findings IS 'One row per finding or opportunity of a detector of your own.';

COMMENT ON COLUMN detector_findings."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN detector_findings."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN detector_findings."number" IS 'number of the row among the rows of this detector and action';

COMMENT ON COLUMN detector_findings."seat" IS 'seat that acted [seat]';

COMMENT ON COLUMN detector_findings."detector" IS 'name of the detector';

COMMENT ON COLUMN detector_findings."version" IS 'version of the detector';

COMMENT ON COLUMN detector_findings."label" IS 'meaning of the action, as named by the detector';

COMMENT ON COLUMN detector_findings."level" IS 'H-Group level that the detector belongs to';

COMMENT ON COLUMN detector_findings."certainty" IS 'certainty of the detector [percent]';

COMMENT ON COLUMN detector_findings."cards" IS 'cards concerned; -1 for none [order]';

COMMENT ON COLUMN detector_findings."seats" IS 'seats concerned: bit 0 is seat 0 [bits]';

COMMENT ON COLUMN detector_findings."legal" IS 'whether the action is allowed; null if not judged';

COMMENT ON COLUMN detector_findings."reasons" IS 'reasons against or for the action: a list of texts in JSON';

COMMENT ON COLUMN detector_findings."opportunity" IS 'true for an opportunity: the label was possible on this turn; false for a finding: the action had the label';

COMMENT ON COLUMN detector_findings."outcome" IS 'whether the actions that the finding expects happened (outcome)';

COMMENT ON COLUMN detector_findings."closed_turn" IS 'turn on which the outcome was settled (outcome) [turn]';

COMMENT ON TABLE detector_problems IS 'One row per failure of a detector of your own on an action.';

COMMENT ON COLUMN detector_problems."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN detector_problems."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN detector_problems."seat" IS 'seat that acted [seat]';

COMMENT ON COLUMN detector_problems."detector" IS 'name of the detector';

COMMENT ON COLUMN detector_problems."version" IS 'version of the detector';

COMMENT ON COLUMN detector_problems."rule" IS 'short name of the problem';

COMMENT ON COLUMN detector_problems."message" IS 'description of the problem';

COMMENT ON TABLE solved_games IS 'One row per game that `hanalyze solve` was given, with the best score of its deal.';

COMMENT ON COLUMN solved_games."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN solved_games."solver_version" IS 'version of the solver';

COMMENT ON COLUMN solved_games."not_covered" IS 'reason why the solver does not cover the game, such as a variant; null if it was solved';

COMMENT ON COLUMN solved_games."nodes" IS 'budget: positions to search for each score [positions]';

COMMENT ON COLUMN solved_games."game_nodes" IS 'budget: positions to search for the whole game [positions]';

COMMENT ON COLUMN solved_games."seconds" IS 'budget: time for each score [seconds]';

COMMENT ON COLUMN solved_games."game_seconds" IS 'budget: time for the whole game [seconds]';

COMMENT ON COLUMN solved_games."looked_at" IS 'positions that were searched [positions]';

COMMENT ON COLUMN solved_games."best_score_low" IS 'lower bound of the deal''s best score with all cards open [points]';

COMMENT ON COLUMN solved_games."best_score_high" IS 'upper bound of the deal''s best score with all cards open; equals best_score_low if the best score is known [points]';

COMMENT ON COLUMN solved_games."open_points" IS 'upper bound of the points lost besides those of `losses`; 0 if the loss of every turn is known [points]';

COMMENT ON TABLE best_scores IS 'One row per action of a solved game: the best score that the deal still allowed after it, with all cards open.';

COMMENT ON COLUMN best_scores."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN best_scores."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN best_scores."best_score_after" IS 'after the action: lower bound of the best score with all cards open [points]';

COMMENT ON COLUMN best_scores."best_score_exact" IS 'whether best_score_after is the best score; otherwise the best score is at most best_score_high_after';

COMMENT ON COLUMN best_scores."best_score_high_after" IS 'after the action: upper bound of the best score with all cards open [points]';

COMMENT ON TABLE losses IS 'One row per move of a solved game that lowered the best score with all cards open. In a game without broken rules and with all turns known, the points add up to the best score of the deal minus the best score after the last action.';

COMMENT ON COLUMN losses."game_id" IS 'key of the game: the first 63 bits of its digest';

COMMENT ON COLUMN losses."turn" IS 'turn of the move [turn]';

COMMENT ON COLUMN losses."seat" IS 'seat of the player who made the move; null for the end of a game (`end`), as no table stores who ended it [seat]';

COMMENT ON COLUMN losses."kind" IS 'kind of move; `play` is a successful play';

COMMENT ON COLUMN losses."cause" IS 'reason why the points were out of reach after the move';

COMMENT ON COLUMN losses."points" IS 'points lost: best_score_before - best_score_after [points]';

COMMENT ON COLUMN losses."best_score_before" IS 'best score with all cards open before the move [points]';

COMMENT ON COLUMN losses."best_score_after" IS 'best score with all cards open after the move [points]';

COMMENT ON COLUMN losses."exact" IS 'whether both scores are exact; otherwise best_score_before may be too low and best_score_after too high';

COMMENT ON COLUMN losses."first" IS 'whether the best score of the deal was still possible before the move; false if that score is unknown';
