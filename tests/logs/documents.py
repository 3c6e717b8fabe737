"""Documents that the reader of hanab.live's JSON accepts or refuses: a table with a comment per line.

In: nothing. Out: `GOOD` (bytes, comment) and `BAD` (bytes, rule, what the message must say, comment). The
schema is held against the same table, where a schema can tell.
"""

from __future__ import annotations


def game(*pairs: bytes, players: bytes = b'["Alice","Bob"]', actions: bytes = b"[]") -> bytes:
    """Return a game with these keys and values, like `b'"id":1'`, too."""
    return b"{" + b",".join((b'"players":' + players, b'"actions":' + actions, *pairs)) + b"}"


def action(text: bytes) -> bytes:
    return game(actions=b'[{"type":0,"target":1,"value":0},' + text + b"]")


GOOD = [
    (game(), "the least that a game has"),
    (game(players=b"[]"), "nobody plays: whether they can is for others to say"),
    (game(players=b'["a","b","c","d","e","f","g"]'), "seven players, likewise"),
    (b' \t{"actions" : [ ] ,\r\n "players" : [ ] }\n ', "spaces, and another order of the keys"),
    (game(b'"id":0'), "the site leaves out 0, others may not"),
    (game(b'"id":9223372036854775807'), "the largest number of 64 bits"),
    (game(b'"id":-9223372036854775808'), "the least"),
    (game(b'"id":-0'), "0 with a sign"),
    (game(b'"deck":[]'), "an empty deck is not a missing one"),
    (game(b'"deck":[{"rank":9,"suitIndex":-3}]'), "a card that no variant has: a rule, so not here"),
    (game(b'"deck":[{"rank":9,"suitIndex":-3,"order":0}]'), "a card with a key more"),
    (game(b'"seed":"p2v0s1"'), "the site's seeds are text"),
    (game(b'"seed":42'), "a seed of another program is a number"),
    (game(b'"options":{}'), "no option"),
    (game(b'"options":{"variant":"No Variant","timed":false,"timeBase":0}'), "defaults written out"),
    (game(b'"options":{"variant":"No Such Variant"}'), "what variants there are is for others to say"),
    (game(b'"notes":[[],["","f"]]'), "notes of different length"),
    (game(b'"characters":[{"name":"Fuming","metadata":3},{"name":"?","metadata":-1}]'), "characters"),
    (game(b'"edition":"abacus","shuffle":"hle","score":25,"source":"here"'), "our own keys"),
    (game(b'"first_player":1'), "as hanabi.rs writes it"),
    (game(b'"_dataset_score":24,"x":[{"y":null}],"z":1.5'), "keys that nobody knows"),
    (game(b'"x":123456789012345678901234567890'), "numbers in them may have any size"),
    (
        game(*(b'"%b":null' % key for key in b"id deck options notes characters seed score".split())),
        "null for what may be missing",
    ),
    (action(b'{"type":0,"target":3}'), "a play without its value, made by hand"),
    (action(b'{"type":1,"target":3}'), "a discard without its value"),
    (action(b'{"type":17,"target":-9,"value":-1}'), "a kind of action that nobody knows"),
    (action(b'{"type":5,"target":-1,"value":10}'), "the players voted to end it"),
    (game(players=b'["\\u0000\\u001b[31m","\\ud83d\\ude00"]'), "names with escapes; a whole pair"),
]

_DEEP = b"[" * 100_000 + b"]" * 100_000
_HUGE = b"1" * 30

BAD = [
    # values of a wrong type
    (b"[]", "wrong_type", "the game is [], not an object", "no object"),
    (b"12", "wrong_type", "the game is 12", "a number"),
    (b'"text"', "wrong_type", 'the game is "text"', "a string"),
    (b"null", "wrong_type", "the game is null", "null"),
    (game(players=b'"Alice"'), "wrong_type", 'players is "Alice", not an array', "one name, no list"),
    (game(players=b'["Alice",7]'), "wrong_type", "players[1] is 7, not a string", "a name that is a number"),
    (game(players=b"null"), "wrong_type", "players is null", "null for what must be there"),
    (game(actions=b"{}"), "wrong_type", "actions is {}, not an array", "actions as an object"),
    (game(actions=b"[[0,1,0]]"), "wrong_type", "actions[0] is [0,1,0], not an object", "an action as a list"),
    (action(b"null"), "wrong_type", "actions[1] is null", "an action that is null"),
    (action(b'{"type":"0","target":1}'), "wrong_type", 'actions[1].type is "0"', "a number as text"),
    (action(b'{"type":0,"target":1.5}'), "wrong_type", "target is 1.5, not an integer", "a fraction"),
    (action(b'{"type":0,"target":1.0}'), "wrong_type", "target is 1.0, not an integer", "a fraction of 0"),
    (action(b'{"type":0,"target":1e1}'), "wrong_type", "target is 1e1, not an integer", "an exponent"),
    (
        action(b'{"type":0,"target":true}'),
        "wrong_type",
        "target is true, not an integer",
        "true is no number",
    ),
    (action(b'{"type":0,"target":1,"value":null}'), "wrong_type", "value is null", "null within an action"),
    (game(b'"deck":[{"suitIndex":0,"rank":"1"}]'), "wrong_type", 'deck[0].rank is "1"', "a rank as text"),
    (game(b'"deck":"r1 r2"'), "wrong_type", 'deck is "r1 r2", not an array', "a deck as text"),
    (game(b'"id":"7"'), "wrong_type", 'id is "7", not an integer', "an id as text"),
    (game(b'"id":1e999'), "number_out_of_range", "id is 1e999", "a number that no computer has"),
    (game(b'"seed":[]'), "wrong_type", "seed is [], not an integer or a string", "a seed that is a list"),
    (game(b'"options":[]'), "wrong_type", "options is [], not an object", "options as a list"),
    (game(b'"options":{"timed":1}'), "wrong_type", "options.timed is 1, not true or false", "1 is not true"),
    (game(b'"options":{"variant":0}'), "wrong_type", "options.variant is 0, not a string", "a variant's id"),
    (game(b'"notes":["f"]'), "wrong_type", 'notes[0] is "f", not an array', "notes of nobody"),
    (game(b'"notes":[["",null]]'), "wrong_type", "notes[0][1] is null, not a string", "a note that is null"),
    (game(b'"characters":[3]'), "wrong_type", "characters[0] is 3, not an object", "a character's id"),
    (game(b'"score":"25"'), "wrong_type", 'score is "25", not an integer', "a score as text"),
    # keys that are not there
    (b"{}", "missing_key", 'the game has no "players"', "nothing"),
    (b'{"players":[]}', "missing_key", 'the game has no "actions"', "no actions"),
    (game(b'"deck":[{"suit":0,"rank":1}]'), "missing_key", 'deck[0] has no "suitIndex"', "other words"),
    (action(b'{"type":0}'), "missing_key", 'actions[1] has no "target"', "an action without a target"),
    (action(b'{"target":0}'), "missing_key", 'actions[1] has no "type"', "an action without a type"),
    (action(b'{"type":2,"target":0}'), "missing_key", 'actions[1] has no "value"', "a clue of no colour"),
    (action(b'{"type":3,"target":0}'), "missing_key", 'actions[1] has no "value"', "a clue of no rank"),
    (action(b'{"type":4,"target":0}'), "missing_key", 'actions[1] has no "value"', "an end without a reason"),
    (action(b'{"type":9,"target":0}'), "missing_key", 'actions[1] has no "value"', "an unknown kind"),
    (game(b'"characters":[{"name":"?"}]'), "missing_key", 'characters[0] has no "metadata"', "half"),
    # options that nobody knows: the game may have been another
    (game(b'"options":{"emptyclues":true}'), "unsupported_option", 'no option "emptyclues"', "misspelt"),
    (game(b'"options":{"a\\n`\\u001b[31m":1}'), "unsupported_option", "a\\n`\\x1b[31m", "made to confuse"),
    # numbers that are too large
    (game(b'"id":9223372036854775808'), "number_out_of_range", "id is 9223372036854775808", "one too many"),
    (game(b'"id":-9223372036854775809'), "number_out_of_range", "id is -9223372036854775809", "below"),
    (game(b'"id":18446744073709551616'), "number_out_of_range", "id is 18446744073709551616", "65 bits"),
    (game(b'"id":' + b"9" * 5000), "number_out_of_range", "id is 999", "more digits than Python reads"),
    (game(b'"seed":' + _HUGE), "number_out_of_range", "seed is 111", "a seed"),
    (action(b'{"type":%b,"target":1}' % _HUGE), "number_out_of_range", "actions[1].type is 111", "a type"),
    (action(b'{"type":2,"target":%b}' % _HUGE), "number_out_of_range", "actions[1].target is", "a target"),
    (
        game(b'"deck":[{"suitIndex":0,"rank":-%b}]' % _HUGE),
        "number_out_of_range",
        "deck[0].rank is -111",
        "a rank",
    ),
    # text that is not JSON
    (b"garbage", "not_json", "near byte 0: garbage", "no JSON at all"),
    (b"{'players':[]}", "not_json", "near byte 1: {'players'", "how Python writes it"),
    (game(b'"id":1,'), "not_json", '"id":1,}', "a comma too many"),
    (game(b'"id":01'), "not_json", '"id":01}', "an octal number"),
    (game(b'"score":NaN'), "not_json", ":NaN}", "not a number"),
    (game(b'"score":-Infinity'), "not_json", ":-Infinity}", "no number of JSON"),
    (game(b'"seed":"a\tb"'), "not_json", '"a\\tb"}', "a control character in text"),
    (game(b'"seed":"\\x41"'), "not_json", '"\\x41"}', "no escape of JSON"),
    (game() + b" x", "not_json", "there is text after the game: x", "a word more"),
    (game() + game(), "not_json", 'there is text after the game: {"players"', "two games in a row"),
    (game()[:-1] + b" // }", "not_json", "// }", "a comment"),
    # text that ends too early
    (b"{", "truncated", "ends in the middle of the game", "one bracket"),
    (game()[:-1], "truncated", 'Bob"],"actions":[]', "the last bracket is missing"),
    (game()[:17], "truncated", 'after {"players":["Alic', "within a name"),
    (b"nul", "truncated", "after nul", "within a word"),
    # text that is not Unicode
    (game(players=b'["\xff"]'), "bad_encoding", "byte 13 is not valid UTF-8: \\xff", "Latin-1"),
    (game(b'"seed":"\xed\xa0\x80"'), "bad_encoding", "is not valid UTF-8", "half a pair, in bytes"),
    (game(players=b'["\\ud800"]'), "bad_encoding", "half a surrogate pair", "the first half"),
    (game(players=b'["\\udc00"]'), "bad_encoding", "half a surrogate pair", "the second half"),
    (game(b'"seed":"\\ud800"'), "bad_encoding", "half a surrogate pair: \\ud800", "at the end"),
    (game(b'"seed":"\\ud83dx"'), "bad_encoding", "half a surrogate pair: \\ud83dx", "at the end, too"),
    # depth
    (game(b'"x":' + _DEEP), "too_deep", "nested too deeply", "100,000 brackets"),
    (game(b'"x":' + b'{"a":' * 100_000), "too_deep", "nested too deeply", "100,000 braces, never closed"),
    (game(b'"notes":' + _DEEP), "wrong_type", "notes[0][0] is not a string", "brackets where text belongs"),
    (game(b'"deck":' + _DEEP), "wrong_type", "deck[0] is not an object", "brackets where a card belongs"),
]
