"""Each person's JupyterLab on the hub; install.sh copies it to etc/."""

c = get_config()  # noqa: F821 (Jupyter defines it)

# A kernel that nobody has used for an hour gives its memory back, seen or not.
c.MappingKernelManager.cull_idle_timeout = 3600
c.MappingKernelManager.cull_connected = True
c.LabApp.extension_manager = "readonly"  # the environment is not theirs to change
c.LabApp.news_url = None
