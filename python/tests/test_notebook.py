"""The notebook runs from top to bottom and shows what it says."""

import base64
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "notebook" / "touchstone.ipynb"


def test_the_notebook_runs(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [
        output.data["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "execute_result" and "text/html" in output.data
    ]
    pictures = [
        base64.b64decode(found.group(1))
        for html in shown
        if (found := re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html))
    ]
    assert len(pictures) == 2
    for picture in pictures:
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert "careful follows rating best" in shown[1]
    assert "painter B" in shown[3]
    kept = os.environ.get("NOTEBOOK_OUT")
    if kept:
        nbformat.write(notebook, kept)
