"""Word vectors in every file they come in are the same vectors."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

gensim = pytest.importorskip("gensim")

import course_lib  # noqa: E402

WORDS = ["bank", "苹果", "river", "1984", "naïve"]


@pytest.fixture(scope="module")
def vectors():
    found = gensim.models.KeyedVectors(6)
    numbers = np.random.default_rng(0).normal(size=(len(WORDS), 6))
    found.add_vectors(WORDS, numbers.astype(np.float32))
    return found


WAYS = {
    "vectors.bin": lambda v, path: v.save_word2vec_format(path, binary=True),
    "vectors.vec": lambda v, path: v.save_word2vec_format(path),
    "glove.6d.txt": lambda v, path: v.save_word2vec_format(path, write_header=False),
    "vectors.bin.gz": lambda v, path: v.save_word2vec_format(path, binary=True),
    "vectors.kv": lambda v, path: v.save(path),
}


@pytest.mark.parametrize("name", WAYS)
def test_a_format_is_recognised(vectors, tmp_path, name):
    WAYS[name](vectors, str(tmp_path / name))
    for path in (tmp_path, tmp_path / name):
        found = course_lib.load(path)
        assert found.index_to_key == WORDS
        np.testing.assert_allclose(found.vectors, vectors.vectors, atol=1e-5)


def test_fasttext_knows_words_it_has_never_seen(tmp_path):
    texts = [["river", "bank", "rivers", "banks"]] * 20
    model = gensim.models.FastText(
        texts, vector_size=8, min_count=1, bucket=100, seed=1
    )
    path = tmp_path / "cc.en.8.bin"
    gensim.models.fasttext.save_facebook_model(model, str(path))
    found = course_lib.load(path)
    for word in ("river", "riverbank"):
        np.testing.assert_allclose(found[word], model.wv[word], atol=1e-6)


def test_a_whole_model_of_gensim_gives_its_vectors(tmp_path):
    model = gensim.models.Word2Vec([["a", "b"]] * 9, vector_size=4, min_count=1)
    model.save(str(tmp_path / "w2v.model"))
    found = course_lib.load(tmp_path / "w2v.model")
    assert set(found.index_to_key) == {"a", "b"}


@pytest.mark.parametrize("name", ["notes.txt", "notes.txt.gz"])
def test_another_file_is_no_vectors(tmp_path, name):
    write = gzip.open if name.endswith("gz") else open
    with write(tmp_path / name, "wb") as file:
        file.write(b"Dear reader,\nthese are notes\n")
    with pytest.raises(ValueError, match="begins with b'Dear reader,': no word"):
        course_lib.load(tmp_path / name)


def test_a_cut_file_is_damaged(vectors, tmp_path):
    path = tmp_path / "vectors.bin"
    vectors.save_word2vec_format(str(path), binary=True)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match=r"vectors\.bin is damaged"):
        course_lib.load(path)
