-- The configuration of the server for Neovim's own client (0.11 and later). Enable it with
--   vim.lsp.enable('ttsr_ls')

---@type vim.lsp.Config
return {
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
  -- A server in the project's own environment comes first; set `cmd` yourself to have another.
  before_init = function(params, config)
    params.initializationOptions = config.settings.ttsr
  end,
  on_attach = function(client, bufnr)
    require('ttsr').attached(client, bufnr)
  end,
}
