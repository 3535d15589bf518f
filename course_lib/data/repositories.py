"""Corpora that are put together from GitHub repositories at pinned commits.

The public archive of a repository holds pictures and programs as well: only the texts
are kept, in one zip with a folder for each repository.
"""

from __future__ import annotations

from course_lib.data.files import Repository

GITHUB_ARCHIVE = "https://codeload.github.com/{name}/zip/{commit}"


def repositories(owner: str, commits: str, texts: str) -> tuple[Repository, ...]:
    """Read lines of a repository's name and its commit."""
    rows = map(str.split, commits.strip().splitlines())
    return tuple(
        Repository(f"{owner}/{name}", commit, texts, GITHUB_ARCHIVE)
        for name, commit in rows
    )


OPENSTAX = """
osbooks-american-government a2677245241954039c7ebc996e82a8f3b0b4376f
osbooks-anatomy-physiology f3a1239631d5cc525e4b46874b6cdc3ca4fda15a
osbooks-astronomy dff6acf8df597ceda73985308f838ed38417a606
osbooks-business-ethics eab8fda2d77e50a10cc33bd676177e1e72f363d7
osbooks-chemistry-bundle 3be4b60ff501f29a445f0cacf003e5f5cc16244d
osbooks-college-physics-bundle fd1b25dfd5d8c6580c6e2b2b34a19e29cc69ada9
osbooks-college-success-bundle 4c04b87eb2753872c2d442fe9736859ddb27bb72
osbooks-entrepreneurship 7b0bfdd3d718647b0980f7b425a5c1cc4ced4ed1
osbooks-introduction-anthropology 418eedd9bef21ec1a6fa1b472c0d82c084e35c70
osbooks-introduction-business 78c9e7ad4e581d4ff98e78ea30214840e1fa7e1e
osbooks-introduction-intellectual-property be76c2d982080df077b6f7f7f784d0bbbc37ee8b
osbooks-introduction-philosophy ec6340117385f06d8e094850bade8948fe7ba002
osbooks-introduction-political-science 61afbf50d27ba833feb64b66ba06a5384e9f371c
osbooks-introduction-sociology ab8839c5c5340cb4dffbc310699da450549deb20
osbooks-life-liberty-and-pursuit-happiness acb6fbe2744dd112187b6aff5946cfe969410fca
osbooks-microbiology f1d8d4e9941417f25610a239045c35488d56cf22
osbooks-physics ff78c7a8150fdda5ed1f786ac59ac25cdd532ef0
osbooks-principles-accounting-bundle 2165bf6454c0279c1284e19ac7febc101f7956ad
osbooks-principles-economics-bundle cd31beb103fffbc09cc81ebfe117d8c40cc12d1a
osbooks-principles-finance 1deb7fd66b614b21ad645ab181cb6eb940d01a3a
osbooks-principles-marketing a6d7372579d13e0a733954953c4613867f018a48
osbooks-psychology de7e40c91813dabdc2875df9d0709fc4f46080bb
osbooks-us-history c05b860a035ff59a2ca1fd44339ef86694e09b57
osbooks-world-history b2ddac6d5ab41847257c1484ee9271576d1a053e
osbooks-writing-guide 36dc5399701580fcdbd0870cc4c11afba8301527
"""
STANDARD_EBOOKS = """
agatha-christie_the-murder-of-roger-ackroyd 92b5bbd38b0ab7703a988ff7103b15d9b8a65bf2
arnold-bennett_the-old-wives-tale bda8c3a2cfe1b8d554106315b64d12673120f362
arthur-conan-doyle_the-adventures-of-sherlock-holmes 23b2b6e0aa1350aaccaac91e1d0fe3bb6ed4c81f
dashiell-hammett_red-harvest 381fe4508961a7764167827e3f228b5076b538a6
dorothy-l-sayers_whose-body cbac833aef94741df77058efd748ec9ebf31956a
ernest-hemingway_the-sun-also-rises 250a5cec3785e00a50d0e3597a22f2d5c1ce5c68
f-scott-fitzgerald_the-great-gatsby 194dc118c0f998da3bc5443d97370e16781b899a
h-g-wells_tono-bungay 72df321739c57681c231b63fc720bd7baf26e4a4
jack-london_martin-eden f150c69fdd9d2eef64f5ee2e611a602e4e8616cb
jerome-k-jerome_three-men-in-a-boat 4f8189319b455965aa70a927ff4d2b9ce6b9513f
l-m-montgomery_anne-of-green-gables 87a8976ae6bd342a5e20eb9b7b8399a245108246
p-g-wodehouse_leave-it-to-psmith 9c63072b4c198012035399b2bd7f1b184b1738a7
p-g-wodehouse_right-ho-jeeves 30a8d6c863bffc118cd8b5e91797cceedd7fecbe
sinclair-lewis_babbitt 6ea7c30d6e2c9d1cd4a49d86f30d6d06ee74ba2c
sinclair-lewis_main-street 1fdbcaffea37909a86b3ce2d3e0bd3b75bdca923
theodore-dreiser_sister-carrie 8caeb879efeeae46eb6ebb84c1444e1dc35658d5
upton-sinclair_the-jungle d02b419b7cf59a03e5c110219fe1558126145505
w-somerset-maugham_of-human-bondage 809b391d78159abe0bf624709935ef9f22195e90
willa-cather_my-antonia 515020190f4cfb4e3239edf70146ee4d36fc4d7c
"""  # noqa: E501
MARKDOWN = {  # file: owner, repository and commit, which texts
    "gold-miner.zip": (
        "xitu",
        "gold-miner db4f91ae0df1f31d3b02dbf21b4137bfb9fda374",
        r"(?:TODO1?|article)/.*\.md",
    ),
    "lctt.zip": (
        "LCTT",
        "TranslateProject 4948360714403ebcefc3abff80dcc69ad706bf5d",
        r"published/.*\.md",
    ),
    "weekly.zip": (
        "ruanyf",
        "weekly cf5e367d98e5141fb3381816f2ac8c5dd1bdb69f",
        r"docs/.*\.md",
    ),
    "howtocook.zip": (
        "Anduin2017",
        "HowToCook cbeb536760320efe24f9a61fe354a318d5887e30",
        r"dishes/.*\.md",
    ),
}
PARTS = {
    "openstax.zip": repositories(
        "openstax", OPENSTAX, r"LICENSE|modules/[^/]+/index\.cnxml"
    ),
    "standardebooks.zip": repositories(
        "standardebooks", STANDARD_EBOOKS, r"src/epub/text/[^/]+\.xhtml"
    ),
    **{path: repositories(*about) for path, about in MARKDOWN.items()},
}
