"""Methods about the structure of rule files and of the workspace: outlines, folds, selections, and links."""
