-- The tables of a hanalyze database, version 3 of the columns.
-- Made by `python -m hanalyze.store.schema`; do not edit.

CREATE TYPE games_end_condition AS ENUM ('unfinished', 'normal', 'strikeout', 'timeout', 'terminated_by_player', 'speedrun_fail', 'idle_timeout', 'character_softlock', 'all_or_nothing_fail', 'all_or_nothing_softlock', 'terminated_by_vote');

CREATE TYPE turns_action AS ENUM ('play', 'discard', 'colour_clue', 'rank_clue', 'end_game');

CREATE TYPE turns_result AS ENUM ('played', 'misplayed', 'discarded', 'clued', 'ended');

CREATE TYPE turns_pace_risk AS ENUM ('Low', 'Medium', 'High', 'Zero');

CREATE TYPE turns_status AS ENUM ('trash', 'needed', 'critical');

CREATE TYPE clues_kind AS ENUM ('colour', 'rank');

CREATE TYPE cards_touchable AS ENUM ('nothing', 'colour', 'rank', 'both');

CREATE TYPE cards_fate AS ENUM ('in_deck', 'in_hand', 'played', 'misplayed', 'discarded');

CREATE TYPE defects_rule AS ENUM ('unknown_action', 'order_out_of_range', 'card_not_in_hand', 'seat_out_of_range', 'clue_not_in_variant', 'unknown_end', 'action_after_end', 'clue_to_self', 'clue_without_token', 'clue_touches_nothing', 'clue_kind_repeated', 'discard_at_full_tokens', 'deck_differs_from_seed', 'score_differs');

CREATE TYPE conventions_convention AS ENUM ('unexplained', 'play_clue', 'delayed_play_clue', 'five_save', 'two_save', 'critical_save', 'prompt', 'finesse', 'reverse_finesse', 'self_prompt', 'self_finesse', 'double_finesse', 'prompt_finesse', 'hidden_finesse', 'layered_finesse', 'bluff', 'self_bluff', 'fix_clue', 'tempo_clue', 'tempo_clue_stall', 'tempo_chop_move', 'fill_in', 'burn', 'five_stall', 'locked_hand_save', 'eight_clue_save', 'hard_burn', 'trash_chop_move', 'five_chop_move', 'trash_push', 'distribution_clue', 'order_of_ones', 'order_chop_move', 'sarcastic_discard', 'gentlemans_discard', 'baton_discard', 'scream_discard', 'shout_discard', 'generation_discard', 'positional_discard', 'positional_misplay', 'blind_play', 'prompted_play', 'deferral', 'plain_play', 'plain_discard');

CREATE TYPE convention_outcomes_status AS ENUM ('nothing_expected', 'open', 'success', 'failed', 'missed', 'stomped', 'broken', 'superseded', 'passed_back', 'censored');

CREATE TYPE convention_outcomes_fault AS ENUM ('none', 'giver', 'player', 'third', 'nobody', 'shared');

CREATE TYPE convention_outcomes_fault_rule AS ENUM ('no_rule', 'intended', 'no_message', 'false_call', 'broken_call', 'wrong_card', 'false_clue', 'bad_card', 'later_copy', 'unlucky', 'broken_chain', 'save_misread', 'not_awaited', 'gamble', 'contradiction');

CREATE TABLE games (
    "game_id" BIGINT,
    "digest" VARCHAR,
    "source" VARCHAR,
    "source_id" BIGINT,
    "variant" VARCHAR,
    "letters" VARCHAR,
    "alternating_clues" BOOLEAN,
    "silent_clues" BOOLEAN,
    "variant_id" INTEGER,
    "edition" VARCHAR,
    "seed" VARCHAR,
    "shuffle" VARCHAR,
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
    "conventions_version" SMALLINT
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
    "severity" TINYINT,
    "worth" TINYINT,
    "bad_touch" TINYINT,
    "steps" TINYINT
);

CREATE TABLE convention_outcomes (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "number" TINYINT,
    "status" convention_outcomes_status,
    "closed_turn" SMALLINT,
    "followed" TINYINT,
    "deferrals" TINYINT,
    "strikes" TINYINT,
    "fault" convention_outcomes_fault,
    "fault_seat" TINYINT,
    "fault_rule" convention_outcomes_fault_rule
);

CREATE TABLE convention_opportunities (
    "game_id" BIGINT,
    "turn" SMALLINT,
    "seat" TINYINT,
    "severity" TINYINT,
    "clues" TINYINT,
    "available" BIGINT,
    "best_worth" TINYINT,
    "known_playable" TINYINT,
    "known_trash" TINYINT
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
    "status" convention_outcomes_status,
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

COMMENT ON TABLE games IS 'One row a game.';

COMMENT ON COLUMN games."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN games."digest" IS 'BLAKE2b of the content: players, deck, actions, variant, options, edition, id and seed; the same game read from another file has the same';

COMMENT ON COLUMN games."source" IS 'where the log says that the game comes from';

COMMENT ON COLUMN games."source_id" IS 'number of the game there';

COMMENT ON COLUMN games."variant" IS 'name of the variant';

COMMENT ON COLUMN games."letters" IS 'letters of the variant''s suits, in their order';

COMMENT ON COLUMN games."alternating_clues" IS 'whether clues of its variant must alternate in kind';

COMMENT ON COLUMN games."silent_clues" IS 'whether receivers are not told what clues of its variant mean';

COMMENT ON COLUMN games."variant_id" IS 'hanab.live''s number of the variant';

COMMENT ON COLUMN games."edition" IS 'the rules that it was played by';

COMMENT ON COLUMN games."seed" IS 'what the deck was shuffled from';

COMMENT ON COLUMN games."shuffle" IS 'the scheme that deals the seed, null without a seed';

COMMENT ON COLUMN games."starting_player" IS 'option: seat that moved first [seat]';

COMMENT ON COLUMN games."timed" IS 'option: whether the players had clocks';

COMMENT ON COLUMN games."time_base" IS 'option: seconds on a clock at the start [seconds]';

COMMENT ON COLUMN games."time_per_turn" IS 'option: seconds that every turn adds to a clock [seconds]';

COMMENT ON COLUMN games."speedrun" IS 'option: losing the full score ends the game';

COMMENT ON COLUMN games."card_cycle" IS 'option: each clue makes the giver''s chop their newest card';

COMMENT ON COLUMN games."deck_plays" IS 'option: the deck''s last card may be played from it';

COMMENT ON COLUMN games."empty_clues" IS 'option: a clue may touch no card';

COMMENT ON COLUMN games."one_extra_card" IS 'option: hands have a card more';

COMMENT ON COLUMN games."one_less_card" IS 'option: hands have a card less';

COMMENT ON COLUMN games."all_or_nothing" IS 'option: play goes on until the score is full or lost';

COMMENT ON COLUMN games."rating" IS 'the edition''s label for the score, null where it has no scale';

COMMENT ON COLUMN games."rules_version" IS 'version of the rules that replayed it';

COMMENT ON COLUMN games."tables_version" IS 'version of the columns';

COMMENT ON COLUMN games."package_version" IS 'version of hanalyze that stored it';

COMMENT ON COLUMN games."players" IS 'number of players [players]';

COMMENT ON COLUMN games."turns" IS 'actions that were carried out [turns]';

COMMENT ON COLUMN games."score" IS 'final score [points]';

COMMENT ON COLUMN games."raw_score" IS 'cards on the play stacks at the end, whether or not the game was lost [points]';

COMMENT ON COLUMN games."max_score" IS 'points that the cards not lost at the end would have allowed [points]';

COMMENT ON COLUMN games."full_score" IS 'points when all stacks are complete [points]';

COMMENT ON COLUMN games."full_tokens" IS 'clue tokens when all are there [tokens]';

COMMENT ON COLUMN games."end_condition" IS 'how the game ended';

COMMENT ON COLUMN games."defects" IS 'broken rules that were found in its actions [defects]';

COMMENT ON COLUMN games."plays" IS 'cards played onto a stack [cards]';

COMMENT ON COLUMN games."misplays" IS 'cards misplayed [cards]';

COMMENT ON COLUMN games."discards" IS 'cards discarded [cards]';

COMMENT ON COLUMN games."clues" IS 'clues given [clues]';

COMMENT ON COLUMN games."strikes" IS 'strikes at the end [strikes]';

COMMENT ON COLUMN games."blind_plays" IS 'cards played onto a stack that no clue had touched [cards]';

COMMENT ON COLUMN games."cards_gotten" IS 'cards gotten at the end [cards]';

COMMENT ON COLUMN games."first_discard" IS 'turn of the first discard; null if there was none [turn]';

COMMENT ON COLUMN games."min_pace" IS 'the smallest pace of the game; null if it never had one [cards]';

COMMENT ON COLUMN games."min_efficiency" IS 'cards per clue that a full score takes from the deal on [cards/clue]';

COMMENT ON COLUMN games."efficiency" IS 'cards gotten per clue given or lost, at the end; null if none was [cards/clue]';

COMMENT ON TABLE seats IS 'One row a player of a game.';

COMMENT ON COLUMN seats."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN seats."seat" IS 'number of the seat [seat]';

COMMENT ON COLUMN seats."player" IS 'name of the player, as the log has it';

COMMENT ON TABLE turns IS 'One row an action that was carried out, in order of play.';

COMMENT ON COLUMN turns."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN turns."turn" IS 'number of the turn, the first is 0 [turn]';

COMMENT ON COLUMN turns."seat" IS 'seat of the player to move [seat]';

COMMENT ON COLUMN turns."action" IS 'what the player did; a misplay is a play, see result';

COMMENT ON COLUMN turns."result" IS 'what came of it';

COMMENT ON COLUMN turns."order" IS 'the card played or discarded: its index in the deck [order]';

COMMENT ON COLUMN turns."slot" IS 'where that card was in the hand, 1 the newest [slot]';

COMMENT ON COLUMN turns."suit" IS 'suit of that card [suit]';

COMMENT ON COLUMN turns."rank" IS 'rank of that card [rank]';

COMMENT ON COLUMN turns."receiver" IS 'seat that got the clue [seat]';

COMMENT ON COLUMN turns."clue_value" IS 'rank of a rank clue, index among the variant''s clue colours of a colour clue';

COMMENT ON COLUMN turns."touched_slots" IS 'slots of the receiver that the clue touched: bit 0 is slot 1 [bits]';

COMMENT ON COLUMN turns."drawn" IS 'the card that the player drew afterwards [order]';

COMMENT ON COLUMN turns."score_before" IS 'points, zero once a game is lost where the edition says so, before the action [points]';

COMMENT ON COLUMN turns."score_after" IS 'points, zero once a game is lost where the edition says so, after the action [points]';

COMMENT ON COLUMN turns."max_score_before" IS 'points that the cards not yet lost still allow, before the action [points]';

COMMENT ON COLUMN turns."max_score_after" IS 'points that the cards not yet lost still allow, after the action [points]';

COMMENT ON COLUMN turns."clue_tokens_before" IS 'clue tokens, by halves in Clue Starved, before the action [tokens]';

COMMENT ON COLUMN turns."clue_tokens_after" IS 'clue tokens, by halves in Clue Starved, after the action [tokens]';

COMMENT ON COLUMN turns."strikes_before" IS 'strikes, before the action [strikes]';

COMMENT ON COLUMN turns."strikes_after" IS 'strikes, after the action [strikes]';

COMMENT ON COLUMN turns."deck_before" IS 'cards left in the deck, before the action [cards]';

COMMENT ON COLUMN turns."deck_after" IS 'cards left in the deck, after the action [cards]';

COMMENT ON COLUMN turns."pace_before" IS 'discards that can be afforded without giving up a point of the maximum score: score + deck - maximum score + players; null with an empty deck and once the game is over, before the action [cards]';

COMMENT ON COLUMN turns."pace_after" IS 'discards that can be afforded without giving up a point of the maximum score: score + deck - maximum score + players; null with an empty deck and once the game is over, after the action [cards]';

COMMENT ON COLUMN turns."pace_risk_before" IS 'hanab.live''s reading of the pace for the number of players, before the action';

COMMENT ON COLUMN turns."pace_risk_after" IS 'hanab.live''s reading of the pace for the number of players, after the action';

COMMENT ON COLUMN turns."stacks_before" IS 'cards on each play stack, 0 for suits that the variant does not have, before the action [cards]';

COMMENT ON COLUMN turns."stacks_after" IS 'cards on each play stack, 0 for suits that the variant does not have, after the action [cards]';

COMMENT ON COLUMN turns."cards_gotten_before" IS 'cards on the stacks and needed cards in hands that a clue touched, at most the maximum score, before the action [cards]';

COMMENT ON COLUMN turns."cards_gotten_after" IS 'cards on the stacks and needed cards in hands that a clue touched, at most the maximum score, after the action [cards]';

COMMENT ON COLUMN turns."clues_lost_before" IS 'clues given, and tokens lost by strikes and by stacks completed with all tokens there, before the action [clues]';

COMMENT ON COLUMN turns."clues_lost_after" IS 'clues given, and tokens lost by strikes and by stacks completed with all tokens there, after the action [clues]';

COMMENT ON COLUMN turns."clues_left_before" IS 'clues that can still be given without giving up a point; null with an empty deck, before the action [clues]';

COMMENT ON COLUMN turns."clues_left_after" IS 'clues that can still be given without giving up a point; null with an empty deck, after the action [clues]';

COMMENT ON COLUMN turns."final_round_before" IS 'whether no clue is left to give, or the deck is empty, before the action';

COMMENT ON COLUMN turns."final_round_after" IS 'whether no clue is left to give, or the deck is empty, after the action';

COMMENT ON COLUMN turns."future_efficiency_before" IS 'cards yet to get per clue left; null with an empty deck and with no clue left, before the action [cards/clue]';

COMMENT ON COLUMN turns."future_efficiency_after" IS 'cards yet to get per clue left; null with an empty deck and with no clue left, after the action [cards/clue]';

COMMENT ON COLUMN turns."known_playable" IS 'cards in the own hand known to be playable [cards]';

COMMENT ON COLUMN turns."known_trash" IS 'cards in the own hand known to be trash [cards]';

COMMENT ON COLUMN turns."known_critical" IS 'cards in the own hand known to be critical [cards]';

COMMENT ON COLUMN turns."locked" IS 'whether clues touched every card of the own hand';

COMMENT ON COLUMN turns."chop" IS 'the own chop: the oldest card that no clue touched, of a locked hand the newest [order]';

COMMENT ON COLUMN turns."chop_suit" IS 'suit of the own chop, hidden from the player [suit]';

COMMENT ON COLUMN turns."chop_rank" IS 'rank of the own chop, hidden from the player [rank]';

COMMENT ON COLUMN turns."possibilities" IS 'identities that the player had to allow for of the card played or discarded [identities]';

COMMENT ON COLUMN turns."p_playable" IS 'that the card played or discarded was playable, by the player''s view: each identity that is still possible weighs as many copies as the player does not see [probability]';

COMMENT ON COLUMN turns."p_trash" IS 'likewise, that it was trash [probability]';

COMMENT ON COLUMN turns."p_critical" IS 'likewise, that it was critical [probability]';

COMMENT ON COLUMN turns."best_p_playable" IS 'the most p_playable in the own hand [probability]';

COMMENT ON COLUMN turns."best_p_trash" IS 'the most p_trash in the own hand [probability]';

COMMENT ON COLUMN turns."least_p_critical" IS 'the least p_critical in the own hand [probability]';

COMMENT ON COLUMN turns."best_playable_slot" IS 'slot of the oldest card with that [slot]';

COMMENT ON COLUMN turns."best_trash_slot" IS 'likewise of best_p_trash [slot]';

COMMENT ON COLUMN turns."safest_slot" IS 'likewise of least_p_critical [slot]';

COMMENT ON COLUMN turns."p_double_discard" IS 'that the own chop is the last copy of the needed card that the action before lost, by the player''s view; null where none is the last, and for a locked hand [probability]';

COMMENT ON COLUMN turns."could_clue" IS 'whether a clue was legal';

COMMENT ON COLUMN turns."could_discard" IS 'whether a discard was legal';

COMMENT ON COLUMN turns."forced" IS 'whether neither was, so that a card had to be played';

COMMENT ON COLUMN turns."playable_seen" IS 'playable cards in the other hands [cards]';

COMMENT ON COLUMN turns."playable_seen_clued" IS 'of them, those that a clue touched [cards]';

COMMENT ON COLUMN turns."next_chop_critical" IS 'whether the next player''s chop was critical; a locked hand has none here';

COMMENT ON COLUMN turns."other_chop_critical" IS 'likewise of any other player';

COMMENT ON COLUMN turns."clued" IS 'whether a clue had touched the card played or discarded';

COMMENT ON COLUMN turns."status" IS 'what that card was before: trash, needed by a stack, or critical (mostly: the last copy needed)';

COMMENT ON COLUMN turns."playable" IS 'whether that card fitted a stack';

COMMENT ON COLUMN turns."blind_plays_after" IS 'plays in a row, up to this action, of cards that no clue touched; any other action ends the row [plays]';

COMMENT ON COLUMN turns."misplays_after" IS 'misplays in a row, up to this action [plays]';

COMMENT ON COLUMN turns."double_discard_after" IS 'the card just lost, where its only other copy is in nobody''s hand as known by clues, and the next player may have it and is not locked: hanab.live''s double discard situation [order]';

COMMENT ON TABLE clues IS 'One row a clue.';

COMMENT ON COLUMN clues."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN clues."turn" IS 'turn of the clue [turn]';

COMMENT ON COLUMN clues."giver" IS 'seat that gave it [seat]';

COMMENT ON COLUMN clues."receiver" IS 'seat that got it [seat]';

COMMENT ON COLUMN clues."kind" IS 'what it named';

COMMENT ON COLUMN clues."value" IS 'the rank, or the index among the variant''s clue colours';

COMMENT ON COLUMN clues."touched" IS 'cards that it touched [cards]';

COMMENT ON COLUMN clues."newly_touched" IS 'of them, those that no clue had touched before [cards]';

COMMENT ON COLUMN clues."retouched" IS 'of them, the others [cards]';

COMMENT ON COLUMN clues."trash" IS 'touched cards that were trash [cards]';

COMMENT ON COLUMN clues."duplicates" IS 'newly touched needed cards of which another copy was clued, in any hand, or touched as well by this clue and is older [cards]';

COMMENT ON COLUMN clues."duplicates_hidden" IS 'of them, those whose clued copies were all in the giver''s own hand, and not known there [cards]';

COMMENT ON COLUMN clues."playable" IS 'touched cards that were playable [cards]';

COMMENT ON COLUMN clues."critical" IS 'touched cards that were critical [cards]';

COMMENT ON COLUMN clues."focus" IS 'the card that the clue is about: the chop if newly touched, else the newest newly touched card, else the newest touched card [order]';

COMMENT ON COLUMN clues."chop_touched" IS 'whether it newly touched the receiver''s chop';

COMMENT ON COLUMN clues."saved" IS 'whether it newly touched the receiver''s chop, a critical card';

COMMENT ON COLUMN clues."bits" IS 'information: the sum over the receiver''s cards of log2 of the possibilities before over those after [bits]';

COMMENT ON COLUMN clues."plays_followed" IS 'cards that the receiver played onto a stack within one round, that is on their next turn (outcome) [plays]';

COMMENT ON COLUMN clues."cards_gotten" IS 'cards that this clue was the first to touch and that count as gotten at the end of the game; with the cards played blind they add up to the game''s cards gotten before its bound (outcome) [cards]';

COMMENT ON TABLE cards IS 'One row a card of the deck.';

COMMENT ON COLUMN cards."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN cards."order" IS 'index of the card in the deck [order]';

COMMENT ON COLUMN cards."suit" IS 'its suit [suit]';

COMMENT ON COLUMN cards."rank" IS 'its rank [rank]';

COMMENT ON COLUMN cards."holder" IS 'seat that held it, null if it stayed in the deck [seat]';

COMMENT ON COLUMN cards."drawn_turn" IS 'turn before which it was in hand; 0 for the first deal [turn]';

COMMENT ON COLUMN cards."first_clue_turn" IS 'turn of the first clue that touched it [turn]';

COMMENT ON COLUMN cards."first_clue_giver" IS 'seat that gave that clue [seat]';

COMMENT ON COLUMN cards."last_clue_turn" IS 'turn of the last clue that touched it [turn]';

COMMENT ON COLUMN cards."last_clue_giver" IS 'seat that gave that clue [seat]';

COMMENT ON COLUMN cards."colour_clues" IS 'colour clues that touched it [clues]';

COMMENT ON COLUMN cards."rank_clues" IS 'rank clues that touched it [clues]';

COMMENT ON COLUMN cards."touchable" IS 'kinds of clues of the variant that touch it';

COMMENT ON COLUMN cards."chop_turn" IS 'turn before which it last became its holder''s chop [turn]';

COMMENT ON COLUMN cards."known_turn" IS 'turn before which its holder first knew its identity [turn]';

COMMENT ON COLUMN cards."playable_turn" IS 'turn before which it was first in hand and playable [turn]';

COMMENT ON COLUMN cards."fate" IS 'what became of it';

COMMENT ON COLUMN cards."fate_turn" IS 'turn of that, null for cards that stayed [turn]';

COMMENT ON TABLE defects IS 'One row a rule that a log breaks.';

COMMENT ON COLUMN defects."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN defects."turn" IS 'turn of the action; null where the whole log is meant [turn]';

COMMENT ON COLUMN defects."seat" IS 'seat of the player to move; null likewise [seat]';

COMMENT ON COLUMN defects."rule" IS 'the rule that was broken';

COMMENT ON COLUMN defects."found" IS 'what was found there';

COMMENT ON TABLE rejects IS 'One row a log that could not be read or dealt.';

COMMENT ON COLUMN rejects."reject_id" IS 'key: from the digest of the other columns';

COMMENT ON COLUMN rejects."file" IS 'the file, as it was given';

COMMENT ON COLUMN rejects."line" IS 'line of the file; null where the whole file is meant [line]';

COMMENT ON COLUMN rejects."game" IS 'what the game is called, where that much could be read';

COMMENT ON COLUMN rejects."rule" IS 'short name of what is wrong';

COMMENT ON COLUMN rejects."message" IS 'what is wrong, and what was found';

COMMENT ON TABLE ingests IS 'One row a file of a run that went to its end.';

COMMENT ON COLUMN ingests."file" IS 'the file, as it was given';

COMMENT ON COLUMN ingests."digest" IS 'BLAKE2b of its content, unpacked';

COMMENT ON COLUMN ingests."read" IS 'games that it holds, those that cannot be read included [games]';

COMMENT ON COLUMN ingests."stored" IS 'of them, those that were new [games]';

COMMENT ON COLUMN ingests."already_there" IS 'of them, those that the database had [games]';

COMMENT ON COLUMN ingests."with_defects" IS 'of the new ones, those that break a rule [games]';

COMMENT ON COLUMN ingests."rejected" IS 'of them, those that cannot be read or dealt [games]';

COMMENT ON COLUMN ingests."rules_version" IS 'version of the rules';

COMMENT ON COLUMN ingests."tables_version" IS 'version of the columns';

COMMENT ON COLUMN ingests."package_version" IS 'version of hanalyze';

COMMENT ON COLUMN ingests."seconds" IS 'wall time of the whole run [seconds]';

COMMENT ON COLUMN ingests."at" IS 'when the run ended, UTC';

COMMENT ON TABLE convention_games IS 'One row a game whose actions were read for conventions.';

COMMENT ON COLUMN convention_games."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN convention_games."level" IS 'the H-Group''s level up to which its actions were read';

COMMENT ON COLUMN convention_games."conventions_version" IS 'version of the definitions of conventions';

COMMENT ON TABLE conventions IS 'One row a finding: what an action meant, by the turns before it alone.';

COMMENT ON COLUMN conventions."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN conventions."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN conventions."number" IS '0 for what the action mainly meant, 1.. for what else it meant';

COMMENT ON COLUMN conventions."seat" IS 'seat that acted [seat]';

COMMENT ON COLUMN conventions."convention" IS 'what the action meant';

COMMENT ON COLUMN conventions."level" IS 'the H-Group''s level of that convention';

COMMENT ON COLUMN conventions."certainty" IS '100 where the past decides, less where more than one reading is open or a card is unknown [percent]';

COMMENT ON COLUMN conventions."receiver" IS 'seat that the message is for [seat]';

COMMENT ON COLUMN conventions."focus" IS 'the card that the message is about [order]';

COMMENT ON COLUMN conventions."focus_suit" IS 'suit of that card [suit]';

COMMENT ON COLUMN conventions."focus_rank" IS 'rank of that card [rank]';

COMMENT ON COLUMN conventions."cards" IS 'the cards that the message calls, moves or names, in the order in which they act; -1 for none [order]';

COMMENT ON COLUMN conventions."seats" IS 'seats that hold the focus and these cards: bit 0 is seat 0 [bits]';

COMMENT ON COLUMN conventions."readings" IS 'identities that the receiver had to allow for of the focus: bit suit * 8 + rank [bits]';

COMMENT ON COLUMN conventions."legal" IS 'whether the conventions allow the action';

COMMENT ON COLUMN conventions."reasons" IS 'what speaks against it or explains it: bit n for `Reason` n [bits]';

COMMENT ON COLUMN conventions."severity" IS 'how badly the player to move had to stall';

COMMENT ON COLUMN conventions."worth" IS 'cards that the message newly gets [cards]';

COMMENT ON COLUMN conventions."bad_touch" IS 'newly touched cards that are trash or copies [cards]';

COMMENT ON COLUMN conventions."steps" IS 'plays of other cards that it calls for before the focus [steps]';

COMMENT ON TABLE convention_outcomes IS 'One row a finding: what became of it.';

COMMENT ON COLUMN convention_outcomes."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN convention_outcomes."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN convention_outcomes."number" IS 'which of its findings';

COMMENT ON COLUMN convention_outcomes."status" IS 'what became of what the finding expects (outcome)';

COMMENT ON COLUMN convention_outcomes."closed_turn" IS 'turn when that was settled (outcome) [turn]';

COMMENT ON COLUMN convention_outcomes."followed" IS 'steps that were carried out (outcome) [steps]';

COMMENT ON COLUMN convention_outcomes."deferrals" IS 'turns that a called player let pass (outcome) [turns]';

COMMENT ON COLUMN convention_outcomes."strikes" IS 'misplays of called cards (outcome) [strikes]';

COMMENT ON COLUMN convention_outcomes."fault" IS 'of a misplay: who is at fault, none for other actions';

COMMENT ON COLUMN convention_outcomes."fault_seat" IS 'that seat; the giver''s where giver and player share [seat]';

COMMENT ON COLUMN convention_outcomes."fault_rule" IS 'the rule that decided: a label of `FaultRule`';

COMMENT ON TABLE convention_opportunities IS 'One row an action of such a game: what its player could have done.';

COMMENT ON COLUMN convention_opportunities."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN convention_opportunities."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN convention_opportunities."seat" IS 'seat to move [seat]';

COMMENT ON COLUMN convention_opportunities."severity" IS 'how badly it had to stall';

COMMENT ON COLUMN convention_opportunities."clues" IS 'legal clues that touch a card [clues]';

COMMENT ON COLUMN convention_opportunities."available" IS 'conventions that some legal clue would have been by itself: bit n for convention n [bits]';

COMMENT ON COLUMN convention_opportunities."best_worth" IS 'the most cards that a clean play or save clue would get [cards]';

COMMENT ON COLUMN convention_opportunities."known_playable" IS 'own cards known, or called, to be playable [cards]';

COMMENT ON COLUMN convention_opportunities."known_trash" IS 'own cards known to be trash [cards]';

COMMENT ON TABLE detector_games IS 'One row a game and detector of one''s own that looked at it.';

COMMENT ON COLUMN detector_games."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN detector_games."detector" IS 'name of the detector';

COMMENT ON COLUMN detector_games."version" IS 'version of the detector';

COMMENT ON COLUMN detector_games."level" IS 'the H-Group''s level up to which the built-in reader read the game';

COMMENT ON COLUMN detector_games."conventions_version" IS 'version of the built-in definitions of conventions';

COMMENT ON COLUMN detector_games."needs" IS 'detectors on whose findings its own rest, with versions: a list in JSON';

COMMENT ON TABLE detector_findings IS 'One row a finding, or an opportunity, of a detector of one''s own.';

COMMENT ON COLUMN detector_findings."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN detector_findings."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN detector_findings."number" IS 'counts the rows of one detector to one action';

COMMENT ON COLUMN detector_findings."seat" IS 'seat that acted [seat]';

COMMENT ON COLUMN detector_findings."detector" IS 'name of the detector';

COMMENT ON COLUMN detector_findings."version" IS 'version of the detector';

COMMENT ON COLUMN detector_findings."label" IS 'what the action meant, a text of the detector''s own';

COMMENT ON COLUMN detector_findings."level" IS 'the H-Group''s level that the detector belongs to';

COMMENT ON COLUMN detector_findings."certainty" IS 'how certain the detector is of it [percent]';

COMMENT ON COLUMN detector_findings."cards" IS 'the cards that it is about; -1 for none [order]';

COMMENT ON COLUMN detector_findings."seats" IS 'the seats that it concerns: bit 0 is seat 0 [bits]';

COMMENT ON COLUMN detector_findings."legal" IS 'whether the action is allowed, null where not judged';

COMMENT ON COLUMN detector_findings."reasons" IS 'what speaks against it or explains it: a list of texts in JSON';

COMMENT ON COLUMN detector_findings."opportunity" IS 'true where it could have been, false where it was';

COMMENT ON COLUMN detector_findings."status" IS 'what became of what the finding expects (outcome)';

COMMENT ON COLUMN detector_findings."closed_turn" IS 'turn when that was settled (outcome) [turn]';

COMMENT ON TABLE detector_problems IS 'One row an action for which a detector of one''s own failed.';

COMMENT ON COLUMN detector_problems."game_id" IS 'key of the game: the first 63 bits of the digest of its content';

COMMENT ON COLUMN detector_problems."turn" IS 'turn of the action [turn]';

COMMENT ON COLUMN detector_problems."seat" IS 'seat that acted [seat]';

COMMENT ON COLUMN detector_problems."detector" IS 'name of the detector';

COMMENT ON COLUMN detector_problems."version" IS 'version of the detector';

COMMENT ON COLUMN detector_problems."rule" IS 'short name of what is wrong';

COMMENT ON COLUMN detector_problems."message" IS 'what is wrong, and what was found';
