-- The configuration of the server for Neovim's own client (0.11 and later). Enable it with
--   vim.lsp.enable('ttsr_ls')

-- The folders that programs read rules from: a copy of the server's table of locations, which a test compares.
local markers = {
  '.omp', '.agent', '.agents', '.pi', '.maestro', '.claude', '.cursor', '.windsurf', '.devin', '.clinerules', '.git',
}

---@type vim.lsp.Config
return {
  -- The program on PATH, else the one that `:Ttsr install` installed. Never a program of the workspace, because a
  -- repository must not choose which program runs.
  cmd = require('ttsr.install').command(),
  -- The server ignores Markdown files that are not rules.
  filetypes = { 'markdown' },
  -- The nearest folder with any marker. Since Neovim 0.11.3, a list of equal markers is nested.
  root_markers = vim.fn.has('nvim-0.11.3') == 1 and { markers } or markers,
  settings = {
    ttsr = {
      -- 'triggers': a message when a rule fires in a current run. 'off': no messages.
      notifications = 'triggers',
      -- Lines above the conditions of a rule offer its tests and a playground (|vim.lsp.codelens|).
      lenses = true,
      -- Such a line says how many places in the files of the workspace match.
      matchCounts = true,
      -- The text of a rule is shown with its bucket, its reach, and the flags of its conditions
      -- (|vim.lsp.inlay_hint.enable()|).
      inlayHints = true,
    },
  },
  -- Neovim sends settings only on request. Sent here as well, they apply from the start.
  before_init = function(params, config)
    params.initializationOptions = config.settings.ttsr
  end,
  capabilities = {
    -- `ttsr.runs` shows the runs, and the messages about their triggers.
    experimental = { ttsrRuns = true, ttsrTests = true, ttsrDocumentation = true },
    -- `ttsr.open_findings` answers refreshes, which Neovim 0.11 does not know.
    workspace = { diagnostics = { refreshSupport = true } },
  },
  handlers = {
    ['ttsr/runsChanged'] = function(_, params, context)
      local client = vim.lsp.get_client_by_id(context.client_id)
      if client then
        require('ttsr.run_data').refresh(client, params.sessions)
      end
    end,
    ['textDocument/rename'] = function(failure, result, context)
      if failure then
        return require('ttsr.message').say(failure.message)
      end
      local client = vim.lsp.get_client_by_id(context.client_id)
      local changed = client and result and require('ttsr.unsaved').changed_file(result, client)
      if changed then
        return require('ttsr.message').say(('rename again: %s has changed'):format(vim.fs.basename(changed)))
      end
      return vim.lsp.handlers['textDocument/rename'](failure, result, context)
    end,
    ['workspace/diagnostic/refresh'] = function(failure, result, ctx)
      require('ttsr.open_findings').pull(ctx.client_id)
      local default = vim.lsp.handlers['workspace/diagnostic/refresh']
      return default and default(failure, result, ctx) or vim.NIL
    end,
    ['window/showMessage'] = function(_, params)
      require('ttsr.server').show_message(params)
    end,
  },
  on_init = function(client)
    require('ttsr.server').ready(client)
    require('ttsr.run_data').attached(client)
    require('ttsr.rule_watch').follow(client)
  end,
  on_exit = function(code, signal, id)
    require('ttsr.server').ended(code, signal, id)
  end,
}
