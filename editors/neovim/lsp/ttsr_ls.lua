-- The configuration of the server for Neovim's own client (0.11 and later). Enable it with
--   vim.lsp.enable('ttsr_ls')

---@type vim.lsp.Config
return {
  -- The one on PATH. Nothing in a workspace is started by itself: a repository must not choose the program.
  cmd = { 'ttsr-ls', 'serve' },
  -- The server leaves Markdown that is no rule alone.
  filetypes = { 'markdown' },
  root_markers = { '.omp', '.agents', '.agent', '.git' },
  settings = {
    ttsr = {
      -- 'triggers': a message when a rule fires in a run that is under way. 'off': none.
      notifications = 'triggers',
    },
  },
  -- Neovim sends settings only when it is asked for them; this way they hold from the first moment.
  before_init = function(params, config)
    params.initializationOptions = config.settings.ttsr
  end,
  on_attach = function(client, bufnr)
    require('ttsr').attached(client, bufnr)
  end,
}
