"""Drafts: kept as one types, across tabs and devices, with nothing lost silently."""

import pytest

from tests.web.practising import PAGE, begin, hand_in, kept, review

AS_SCRIPT = {"Accept": "application/json"}


def save(client, attempt_id, text, seen=""):
    answer = client.put(
        f"/attempts/{attempt_id}/draft", data={"text": text, "seen": seen}, headers=AS_SCRIPT
    )
    assert answer.status_code == 200
    return answer.json()


def test_a_draft_is_there_after_a_reload_with_its_first_empty_line(client):
    attempt_id = begin(client)
    save(client, attempt_id, "\n<b>half a thought</b>")
    page = client.get(PAGE).text
    assert ">\n\n&lt;b&gt;half a thought&lt;/b&gt;</textarea>" in page
    assert "draft saved just now" in page


def test_saving_on_from_the_version_one_knows_replaces_nothing(client):
    attempt_id = begin(client)
    first = save(client, attempt_id, "one")
    second = save(client, attempt_id, "one two", first["version"])
    assert first["replaced"] is None
    assert second["replaced"] is None
    assert second["version"] > first["version"]


def test_the_newest_text_wins_and_the_text_it_replaced_comes_back(client, database):
    attempt_id = begin(client)
    known = save(client, attempt_id, "from this tab")["version"]
    save(client, attempt_id, "from the other tab", known)
    saved = save(client, attempt_id, "from this tab again", known)
    assert saved["replaced"] == "from the other tab"
    assert kept(database, attempt_id).draft == "from this tab again"


def test_a_tab_can_ask_for_what_another_saved(client):
    attempt_id = begin(client)
    version = save(client, attempt_id, "typed elsewhere")["version"]
    draft = client.get(f"/attempts/{attempt_id}/draft").json()
    assert draft == {"text": "typed elsewhere", "version": version, "open": True}


def test_without_scripts_a_draft_is_saved_by_a_form_that_comes_back_to_the_page(client):
    attempt_id = begin(client)
    answer = client.post(
        f"/attempts/{attempt_id}/draft", data={"text": "by hand"}, follow_redirects=False
    )
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{PAGE}#answer"
    assert "by hand</textarea>" in client.get(PAGE).text


def test_a_draft_after_the_hand_in_is_refused_and_changes_nothing(client, database):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "handed in")
    answer = client.put(f"/attempts/{attempt_id}/draft", data={"text": "late"}, headers=AS_SCRIPT)
    assert answer.status_code == 409
    assert "handed in already" in answer.text
    assert kept(database, attempt_id).answer == "handed in"
    assert client.get(f"/attempts/{attempt_id}/draft").json()["open"] is False


def test_text_from_elsewhere_that_was_not_seen_stays_beside_the_answer(client):
    attempt_id = begin(client)
    save(client, attempt_id, "typed on the phone")
    hand_in(client, attempt_id, "typed here", seen="")
    page = review(client, attempt_id).text
    assert "kept beside the answer" in page
    assert "typed on the phone" in page


def test_a_draft_of_this_tab_does_not_stand_beside_its_answer(client):
    attempt_id = begin(client)
    version = save(client, attempt_id, "half of it")["version"]
    hand_in(client, attempt_id, "half of it, and the rest", seen=version)
    assert "kept beside the answer" not in review(client, attempt_id).text


def test_a_draft_whose_saving_the_page_had_not_heard_of_is_no_other_text(client, database):
    attempt_id = begin(client)
    save(client, attempt_id, "half of it")
    hand_in(client, attempt_id, "half of it, and the rest", seen="")
    assert kept(database, attempt_id).draft == "half of it, and the rest"
    assert "another tab" not in review(client, attempt_id).text


def test_text_that_goes_on_from_what_was_saved_elsewhere_replaces_nothing(client):
    attempt_id = begin(client)
    save(client, attempt_id, "half of it")
    assert save(client, attempt_id, "half of it, and the rest")["replaced"] is None


def test_a_draft_that_a_program_hands_in_over_stays_beside_its_answer(client):
    attempt_id = begin(client)
    save(client, attempt_id, "typed on the page")
    sent = client.put(f"/api/v1/attempts/{attempt_id}/answer", json={"answer": "sent by a program"})
    assert sent.json()["answer"] == "sent by a program"
    assert "typed on the page" in review(client, attempt_id).text


def test_a_draft_that_is_too_long_is_refused(client, database, settings):
    attempt_id = begin(client)
    text = "x" * (settings.max_answer_characters + 1)
    answer = client.put(f"/attempts/{attempt_id}/draft", data={"text": text}, headers=AS_SCRIPT)
    assert answer.status_code == 422
    assert kept(database, attempt_id).draft == ""


@pytest.mark.parametrize(
    "sent",
    [
        {"data": {"seen": ""}},
        {"json": {"text": "as JSON"}},
        {"content": "text=in+no+form", "headers": {"Content-Type": "text/plain"}},
        {"files": {"text": ("draft.txt", b"as a file")}},
    ],
    ids=["no text", "JSON", "plain", "file"],
)
@pytest.mark.parametrize("path", ["draft", "answer"])
def test_a_form_without_its_text_is_refused_and_leaves_the_draft(client, database, sent, path):
    attempt_id = begin(client)
    save(client, attempt_id, "twenty minutes of work")
    answer = client.post(f"/attempts/{attempt_id}/{path}", **sent)
    assert answer.status_code == 422
    assert "nothing was changed" in answer.text
    attempt = kept(database, attempt_id)
    assert (attempt.draft, attempt.handed_in_at) == ("twenty minutes of work", None)


def test_an_emptied_draft_is_kept_as_empty(client, database):
    attempt_id = begin(client)
    version = save(client, attempt_id, "no good")["version"]
    save(client, attempt_id, "", version)
    assert kept(database, attempt_id).draft == ""
