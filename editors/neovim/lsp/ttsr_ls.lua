-- The configuration of the server for Neovim's own client (0.11 and later). Enable it with
--   vim.lsp.enable('ttsr_ls')

-- The folders that programs read rules from, as the server has them in its table of locations; a test compares them.
local markers = {
  '.omp', '.agent', '.agents', '.pi', '.maestro', '.claude', '.cursor', '.windsurf', '.devin', '.clinerules', '.git',
}

---@type vim.lsp.Config
return {
  -- The one on PATH, else what `:Ttsr install` installed. Nothing in a workspace is started by itself: a repository must
  -- not choose the program.
  cmd = require('ttsr.install').command(),
  -- The server leaves Markdown that is no rule alone.
  filetypes = { 'markdown' },
  -- The nearest folder with any of them. Neovim before 0.11.3 takes a flat list so, and later ones a nested list.
  root_markers = vim.fn.has('nvim-0.11.3') == 1 and { markers } or markers,
  settings = {
    ttsr = {
      -- 'triggers': a message when a rule fires in a run that is under way. 'off': none.
      notifications = 'triggers',
      -- Whether lines above the conditions of a rule offer its tests and a playground (|vim.lsp.codelens|).
      lenses = true,
      -- Whether such a line says how many places in the files of the workspace match.
      matchCounts = true,
      -- Whether the text of a rule is shown with its bucket, its reach, and the flags of its conditions
      -- (|vim.lsp.inlay_hint.enable()|).
      inlayHints = true,
    },
  },
  -- Neovim sends settings only when it is asked for them; this way they hold from the first moment.
  before_init = function(params, config)
    params.initializationOptions = config.settings.ttsr
  end,
  -- Runs, and the messages about their triggers, are shown by `ttsr.runs`.
  capabilities = { experimental = { ttsrRuns = true, ttsrTests = true, ttsrDocumentation = true } },
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
