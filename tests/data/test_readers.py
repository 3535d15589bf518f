"""Malformed files give errors that name the file and the line."""

import io
import tarfile
import zipfile

import pytest

from course_lib.data import readers, tasks
from course_lib.data.files import DamagedData

GOOD = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def write(path, content):
    path.write_bytes(content)
    return path


def test_a_line_that_is_not_utf8_is_named(tmp_path):
    path = write(tmp_path / "a.conllu", GOOD.encode() + b"# caf\xe9\n")
    with pytest.raises(DamagedData, match=r"a\.conllu, line 3: not UTF-8 at byte 6"):
        list(tasks.conllu(path, "dev"))


def test_a_line_that_is_not_utf8_is_named_inside_a_zip(tmp_path):
    with zipfile.ZipFile(tmp_path / "msra.zip", "w") as archive:
        archive.writestr("msra.txt", "我\tO\n".encode() + b"\xce\xd2\tO\n")
    with pytest.raises(DamagedData, match=r"msra\.zip, line 2: not UTF-8"):
        list(readers.msra(tmp_path / "msra.zip"))


def test_a_missing_column_is_named(tmp_path):
    path = write(tmp_path / "a.csv", "label,text\n1,好\n".encode())
    with pytest.raises(DamagedData, match=r"a\.csv, line 1: no column review"):
        list(tasks.reviews_zh(path, "all"))


def test_a_short_row_is_named(tmp_path):
    path = write(tmp_path / "a.csv", "label,review\n1,好\n0\n".encode())
    with pytest.raises(DamagedData, match=r"a\.csv, line 3: fewer than the 2 columns"):
        list(readers.reviews_zh(path))


def test_a_category_or_unit_that_does_not_exist_is_named_with_those_that_do(tmp_path):
    path = write(tmp_path / "a.csv", "cat,review\n水果,甜\n平板,快\n".encode())
    assert len(list(readers.reviews_zh(path, category="水果"))) == 1
    with pytest.raises(ValueError, match="水菓.*平板"):
        list(readers.reviews_zh(path, category="水菓"))
    with pytest.raises(ValueError, match="words or characters"):
        list(readers.reviews_zh(path, unit="word"))
    plain = write(tmp_path / "b.csv", "label,review\n1,好\n".encode())
    for read in (readers.reviews_zh(plain, category="水果"),
                 tasks.reviews_zh(plain, "all", category="水果")):  # fmt: skip
        with pytest.raises(ValueError, match=r"no category .*b\.csv; there are: none"):
            list(read)


def test_a_wrong_label_is_named(tmp_path):
    path = write(tmp_path / "a.csv", "label,review\n7,好\n".encode())
    with pytest.raises(DamagedData, match=r"a\.csv, line 2: expected 0 or 1"):
        list(tasks.reviews_zh(path, "all"))


def test_a_short_conllu_line_is_named(tmp_path):
    path = write(tmp_path / "a.conllu", (GOOD + "1\tGo\tVERB\n\n").encode())
    with pytest.raises(DamagedData, match=r"a\.conllu, line 3: expected 10 columns"):
        list(tasks.conllu(path, "dev"))


@pytest.mark.parametrize(
    ("second", "complaint"),
    [('{"sentence": ', "not JSON"), ('{"id": 1}', "no sentence")],
)
def test_a_broken_json_line_is_named(tmp_path, second, complaint):
    path = write(tmp_path / "a.json", ('{"sentence": "好"}\n' + second).encode())
    with pytest.raises(DamagedData, match=rf"a\.json, line 2: {complaint}"):
        list(tasks.eprstmt(path, "unlabelled"))


def test_a_truncated_zip_is_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "brown.zip", "w") as archive:
        archive.writestr("brown/ca01", "The/at end/nn ./.\n" * 100)
    whole = (tmp_path / "brown.zip").read_bytes()
    path = write(tmp_path / "cut.zip", whole[: len(whole) // 2])
    with pytest.raises(DamagedData, match=r"cut\.zip cannot be read to its end"):
        list(readers.brown(path))


def test_a_truncated_tar_is_named(tmp_path):
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as archive:
        for number in range(50):
            info = tarfile.TarInfo(f"aclImdb/train/pos/{number}_9.txt")
            info.size = 1000
            archive.addfile(info, io.BytesIO(str(number).encode() * 1000))
    path = write(tmp_path / "cut.tar.gz", whole.getvalue()[: whole.tell() // 2])
    with pytest.raises(DamagedData, match=r"cut\.tar\.gz cannot be read to its end"):
        list(readers.imdb(path))


def test_brown_drops_tags_and_doubled_marks_and_splits_contractions(tmp_path):
    with zipfile.ZipFile(tmp_path / "brown.zip", "w") as archive:
        archive.writestr("brown/ca01", "\n\n\tDon't/do* ``/`` ask/vb ''/'' ?/. ?/.\n\n")
        archive.writestr("brown/README", "not text")
    (document,) = readers.brown(tmp_path / "brown.zip")
    assert document == [["Do", "n't", '"', "ask", '"', "?"]]


def test_masked_idioms_are_left_out(tmp_path):
    path = write(tmp_path / "a.json", '{"content": "天晴。他#idiom#。走吧。"}'.encode())
    (document,) = readers.chid(path, unit="characters")
    assert document == [list("天晴。"), list("走吧。")]


def test_a_byte_order_mark_is_no_text(tmp_path):
    path = write(tmp_path / "a.csv", "\ufefflabel,review\n1,\ufeff好\n".encode())
    assert list(tasks.reviews_zh(path, "all")) == [tasks.Example("好", "pos")]


def test_conllu_skips_contractions_and_empty_nodes(tmp_path):
    row = "{}\t{}\t_\t{}\t_\t_\t_\t_\t_\t_\n"
    text = row.format("1-2", "don’t", "_") + row.format("1", "do", "AUX")
    text += row.format("2", "n’t", "PART") + row.format("2.1", "go", "VERB") + "\n"
    path = write(tmp_path / "a.conllu", text.encode())
    assert list(tasks.conllu(path, "dev")) == [(["do", "n't"], ["AUX", "PART"])]
