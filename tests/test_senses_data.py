"""The sense sentences that ship keep the promises that the measurements rely on."""

import re
from collections import Counter, defaultdict
from itertools import combinations

import pytest

import course_lib
from course_lib.data import senses
from course_lib.text.tokenise import words_en, words_zh

REQUIRED = {
    "en": "bank play apple spring match bat light right star plant interest letter",
    "zh": "苹果 打 包袱 花 杜鹃 黄牛 小米 出口 算账 火 东西 意思",
}
POS = {"NOUN", "PROPN", "VERB", "ADJ", "ADV", "ADP", "NUM"}  # Universal Dependencies

# Words that only grammar asks for: "the bank", "to play", 红 的 花, 打 了. They
# follow from the part of speech and not from the sense, and any thirty natural
# sentences repeat them. So the check on collocations steps over them to the next word
# that means something: in "bank of the river" that is river.
FUNCTION_WORDS = {
    "en": """a an the this that these those some any no every each all both half such
        one other another more most much many few what which who whose
        i you he she it we they me him us them my your his her its our their
        in on at to from by with for of about into over under up down out off
        through across along around behind before after against between near past
        until till as like than without within and or but so if when while where
        because though since how why not n't never too very just only even still
        again then there here once is am are was were be been being has have had do
        does did will would can could may might must shall should 's 're 've 'm
        'll""",
    "zh": """的 地 得 了 着 过 吗 呢 吧 啊 我 你 您 他 她 它 我们 他们 自己 这 那 谁
        在 从 对 向 往 给 把 被 让 跟 和 与 到 用 为 比 是 有 要 会 能 想 不 没 没有
        别 也 都 就 才 还 又 再 很 太 更 最 真 一 个""",
}
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])


def joined(language: str, tokens: list[str]) -> str:
    return ("" if language == "zh" else " ").join(tokens)


def by_sense(language: str) -> dict[tuple[str, str], list]:
    """Group the sentences by word and sense."""
    groups = defaultdict(list)
    for s in senses(language):
        groups[s.word, s.sense].append(s)
    return groups


def meaningful(language: str, tokens: list[str]) -> list[str]:
    """Drop punctuation and function words; case does not count."""
    function_words = set(FUNCTION_WORDS[language].split())
    lower = [token.lower() for token in tokens]
    return [w for w in lower if re.search(r"\w", w) and w not in function_words]


@LANGUAGES
def test_the_words_of_the_course_are_there_with_two_to_four_senses(language):
    n_senses = Counter(word for word, _ in by_sense(language))
    assert set(REQUIRED[language].split()) <= set(n_senses)
    assert set(n_senses.values()) <= {2, 3, 4}


@LANGUAGES
def test_every_sense_has_at_least_24_sentences(language):
    assert {k: len(v) for k, v in by_sense(language).items() if len(v) < 24} == {}


@LANGUAGES
def test_the_target_is_the_word_itself_and_stands_there_once(language):
    """Exactly as the column `word` spells it: the company is written apple, not Apple,
    so that without context all occurrences of a word are the same."""
    for s in senses(language):
        assert s.tokens[s.target_index] == s.word, s
        assert s.tokens.count(s.word) == 1, s


@LANGUAGES
def test_tokens_are_what_the_courses_tokeniser_makes_of_the_sentence(language):
    """For Chinese that is jieba: a word must not be merged with its neighbour, as in
    苹果公司 or 打篮球, or a model of words would never meet it."""
    tokenise = {"en": words_en, "zh": words_zh}[language]
    for s in senses(language):
        assert tokenise(joined(language, s.tokens)) == s.tokens


@LANGUAGES
def test_no_sentence_stands_there_twice(language):
    sentences = Counter(
        joined(language, s.tokens).lower().rstrip(".!?。！？ ")
        for s in senses(language)
    )
    assert [text for text, n in sentences.items() if n > 1] == []


@LANGUAGES
def test_no_sentence_is_another_with_a_word_changed(language):
    """Within a sense: two such sentences would vote for each other."""
    for group in by_sense(language).values():
        sets = [set(meaningful(language, s.tokens)) - {s.word} for s in group]
        for (i, one), (j, other) in combinations(enumerate(sets), 2):
            shared = len(one & other) / max(1, len(one | other))
            assert shared <= 0.5, (group[i].tokens, group[j].tokens)


@LANGUAGES
def test_no_collocation_comes_more_than_three_times_in_a_sense(language):
    """Else a sense could be told by one neighbouring word, and by nothing else."""
    counts = Counter()
    for s in senses(language):
        left = meaningful(language, s.tokens[: s.target_index])[-1:]
        right = meaningful(language, s.tokens[s.target_index + 1 :])[:1]
        counts.update((s.word, s.sense, "left", word) for word in left)
        counts.update((s.word, s.sense, "right", word) for word in right)
    assert {k: n for k, n in counts.items() if n > 3} == {}


@LANGUAGES
def test_the_cue_stands_on_every_side_in_every_sense(language):
    """A model of one direction sees a third of the cues at least, and not all."""
    for key, group in by_sense(language).items():
        cues = Counter(s.cue for s in group)
        assert set(cues) == {"left", "right", "both"}, key
        assert min(cues.values()) >= len(group) / 6, (key, cues)


@LANGUAGES
def test_there_is_a_word_on_the_side_of_the_cue(language):
    """It may be a small one: "along the bank" says which bank is meant."""
    for s in senses(language):
        sides = s.tokens[: s.target_index], s.tokens[s.target_index + 1 :]
        left, right = (re.search(r"\w", "".join(tokens)) for tokens in sides)
        assert left or s.cue == "right", s
        assert right or s.cue == "left", s


@LANGUAGES
def test_lengths_and_places_vary(language):
    for key, group in by_sense(language).items():
        lengths = [len(s.tokens) for s in group]
        assert len(set(lengths)) >= 6, key
        assert max(lengths) - min(lengths) >= 6, key
        assert len({s.target_index for s in group}) >= 6, key


@LANGUAGES
def test_later_sentences_are_six_a_sense_and_none_of_the_old_ones(language):
    """They test what was chosen on the others: so they are new, and spelt alike."""
    later = senses(language, course_lib.DATA / "senses/later")
    counts = Counter((s.word, s.sense) for s in later)
    assert counts == dict.fromkeys(by_sense(language), 6)
    tokenise = {"en": words_en, "zh": words_zh}[language]
    for s in later:
        assert s.tokens[s.target_index] == s.word and s.tokens.count(s.word) == 1, s
        assert tokenise(joined(language, s.tokens)) == s.tokens
        new = set(meaningful(language, s.tokens)) - {s.word}
        for other in by_sense(language)[s.word, s.sense]:
            old = set(meaningful(language, other.tokens)) - {s.word}
            assert len(new & old) <= len(new | old) / 2, (s.tokens, other.tokens)


@LANGUAGES
def test_parts_of_speech_are_universal_ones(language):
    assert {s.pos for s in senses(language)} <= POS


@LANGUAGES
def test_the_file_is_plain(language):
    """UTF-8 without a mark, six columns, single spaces, no quotes that curl."""
    raw = (course_lib.DATA / "senses" / f"{language}.tsv").read_bytes()
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in raw
    assert raw.endswith(b"\n") and not raw.endswith(b"\n\n")
    for line in raw.decode().removesuffix("\n").split("\n"):
        fields = line.split("\t")
        assert len(fields) == 6
        assert all(f and f == f.strip() and "  " not in f for f in fields), line
        if language == "en":
            assert not re.search("[‘’“”\u00a0\u3000]", line)
        else:
            assert not re.search("[,?!;:]", fields[3]), f"half-width: {fields[3]}"
