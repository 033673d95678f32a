# The rules that the machine is checked against: ID, its place in the texts, what the machine does about it.
# 17.11 and the like are N.J.A.C. 19:47; 42 and the like 13:69F; where only a title is at hand, it says so.

RULES = (
    (
        "SH-1",
        "11.6(a) 16.4(a) 17.4(a) 18.5(a) 24.4(a) 42.4(a)",
        "a uniform shuffle before every round, one round from a shuffle",
    ),
    (
        "SH-2",
        "11.6(a) 16.4(a) 17.4(a) 18.5(a) 24.4(a) 42.4(a)",
        "delivers a single stack, or into the shoe, as it is set up",
    ),
    (
        "SH-3",
        "17.4(b) 11.6(b) 16.4(b) 18.5(b) 42.4(b)",
        "says whether a cut is owed: after a single stack, by the game",
    ),
    ("SH-4", "17.11(e) 24.12(e) 42.12(d)", "an interrupted shuffle gives no deck: it is shuffled and counted again"),
    ("SH-5", "17.11(f) 24.12(g) 42.12(f)", "out of service is latched and ends only with an empty machine"),
    (
        "SH-6",
        "24.4(a) 42.4(a)",
        "in two games a new deck that was shuffled before is carried over, counted, and never called shuffled",
    ),
    (
        "SH-7",
        "2.20 6.9 7.12 (title)",
        "continuous play: discards go back in, each card drawn is uniform over those inside",
    ),
    (
        "SH-9",
        "11.6(f) 14.5(c) 16.4(d) 17.4(g) 18.5(d) 24.4(c) 42.4(e)",
        "what waits is not dealt after the table was idle: it is mixed and shuffled again",
    ),
    (
        "SH-11",
        "14.4(a),(c) 16.3(a),(d) 17.3(a),(d) 18.4(a),(d) 24.3(b),(d) 42.3(b),(d)",
        "a new deck is told as new, alone, with the key of the supervisor who verified its inspection",
    ),
    ("TD-1", "16.2(b) 17.2(b) 18.2(b) 24.2(b) 42.2(b)", "a second deck where the game's profile permits it"),
    ("TD-2", "16.2(b)2 17.2(b)2 18.2(b)2 24.2(b)2 42.2(b)2", "every card's back is read; one of another deck stops"),
    ("TD-3", "16.2(b)3 17.2(b)3 18.2(b)3 24.2(b)3 42.2(b)3", "one deck is shuffled while the other is dealt"),
    ("TD-4", "16.2(b)4 17.2(b)4 18.2(b)4 24.2(b)4 42.2(b)4", "two decks alternate, round by round"),
    ("TD-5", "16.2(b)5 17.2(b)5 18.2(b)5 24.2(b)5 42.2(b)5", "cards of both decks are not taken together"),
    (
        "CT-1",
        "18.7(e),(f) 18.8(e) 24.7(f) 24.8(e) 24.9(e),(f) 42.7(f) 42.9(d),(e)",
        "counts after every shuffle and says so; without a trusted count demands a stub count every five rounds",
    ),
    ("CT-2", "18.7(e) 42.2(a) 11.8(d)", "52, 53 or 54 cards, by the game"),
    (
        "CT-3",
        "18.7(e)2 24.7(f)2 42.7(f)2 11.8(d)2",
        "a deck with a wrong number is locked out until it is removed and a new one declared",
    ),
    (
        "CT-4",
        "18.7(e)2 24.7(f)2 42.7(f)2 11.8(d)2",
        "a misdealt round with all cards there is void and reshuffled, the deck is not locked out",
    ),
    ("CT-5", "11.8(d) 11.8A(d)", "pai gow poker: exactly four cards remain"),
    ("CT-6", "24.9(d) 42.9(c)", "the stub leaves face down, in one release, counted"),
    ("CD-1", "13:69E-1.17(h)", "a profile with jokers is taken for the games that have them"),
    ("DS-1", "18.9(a) 24.9(a) 20.9 (title)", "stacks of three"),
    ("DS-2", "42.10(a) 16.1 16.9 (title)", "stacks of five"),
    ("DS-3", "11.8A(b)2 11.8B (title)", "seven stacks of seven"),
    (
        "DS-4",
        "11.8(a) 17.8(a),(d) 18.7(b) 18.8(b)3 24.9(b)2,(d) 42.9(b)2 42.10(c),(g)",
        "no card leaves the shoe before no more bets of this round, nor any of a later stage before it was said again",
    ),
    ("DS-5", "24.9(c) 42.9(c)", "stacks leave in the order of the positions, each event names its position"),
    ("DS-6", "24.9(d) 24.10(d) 42.9(c)", "the remainder leaves after the last stack, once, and is counted"),
    ("DS-7", "42.10(d),(h)", "draws of up to three cards, later up to one"),
    (
        "DS-8",
        "42.12(e) 24.12(f)",
        "a shoe that fails voids the round; which stacks were complete is told; all cards back",
    ),
    ("DS-9", "17.11(b) 24.12(b) 42.12(a)", "one card face up is replaced, the second voids the round"),
    ("DS-10", "24.12(c) 42.12(b)", "a card too many is told, and is the first of the next stack"),
    (
        "DS-11",
        "17.11(d) 24.12(d) 42.12(c)",
        "every stack is counted; a wrong number is told and voids the round, in Boston 5 the player's hand alone",
    ),
    (
        "DS-12",
        "13:69E-1.19(b) 13:69E-1.13Y(a)",
        "nothing moves with lid, door or mount open; players within the table",
    ),
    ("DS-13", "11.4 (title) 11.8C (title) 11.8(b)", "the starting position is drawn by the machine's own chance"),
    (
        "DS-14",
        "17.11(a) 24.12(a)",
        "a void round carries its reason; a card seen too early leaves hands that qualify, where the game says so",
    ),
    ("DS-15", "17.8(b)", "double down stud is dealt from the hand: the machine's shoe deals none of it"),
    ("CL-1", "18.4(e)", "let it ride: a deck is changed after 8 h in the shoe, 4 h in the hand"),
    ("CL-2", "16.3(e)", "Caribbean stud: after 8 h"),
    ("CL-3", "17.3(e)", "double down stud: after 24 h from a shoe, 8 h from the hand"),
    ("CL-4", "13:69E-1.18(g)2, 3", "the other games: after 8 h from a shoe, 4 h from the hand"),
    ("CL-5", "14.2(b)", "poker: after 4 h, and after 2 h unless it was put in suit and sequence"),
    ("CL-6", "follows from CL-1", "a deck whose age nobody knows is too old: what the power cut short, say"),
    ("CL-7", "13:69E-1.18(g)", "a game of the house's own: after the hours that its profile says"),
    ("EL-1", "follows from SH-1", "the order of the cards is in no frame, log, lamp, or memory after the shuffle"),
    ("EL-2", "follows from SH-4 DS-8", "when in doubt the deck is not playable"),
    ("EL-3", "follows from SH-4 SH-5", "what may be inside survives a power cut; a deal is never resumed"),
    ("EL-4", "follows from SH-1 DS-13", "failed randomness makes the machine unavailable until power-on"),
)


def known(rule):
    return any(row[0] == rule for row in RULES)
