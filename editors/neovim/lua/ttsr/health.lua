-- `:checkhealth ttsr`

local M = {}

function M.check()
  vim.health.start('ttsr')
  if vim.fn.has('nvim-0.11') == 0 then
    vim.health.error('Neovim 0.11 or later is needed')
    return
  end
  local command = require('ttsr.program').server_command({ '--version' })
  local program = command[1]
  local cause = require('ttsr.program').why_not(program)
  if cause ~= nil then
    local install = 'Install it with %s (:help :Ttsr-install), or put one on your PATH'
    vim.health.error(
      ('the server cannot start: %s'):format(cause),
      { install:format(require('ttsr.install').usage()), "Or set 'cmd' with vim.lsp.config()" }
    )
    return
  end
  local version, why_none = require('ttsr.program').output(command)
  if version ~= nil then
    vim.health.ok(('%s, the program %s'):format(vim.trim(version), vim.fn.exepath(program)))
    if vim.fn.executable('ttsr-ls') == 0 then
      vim.health.info('it is not on the PATH: type its path for commands such as `ttsr-ls demo --editor` in a terminal')
    end
  else
    vim.health.error(("'%s --version' failed: %s"):format(program, why_none))
  end
  local is_outdated, failure = require('ttsr.install').is_outdated()
  if is_outdated == nil then
    local text = 'whether the server is older than the plugin is unknown: %s'
    vim.health.warn(text:format(failure), { 'After an update of the plugin, run :Ttsr install' })
  elseif is_outdated then
    vim.health.warn('the plugin was updated after the server was installed', { 'Run :Ttsr install' })
  end
  if not vim.lsp.is_enabled('ttsr_ls') then
    vim.health.error('the server is not enabled, so no file has findings and no command finds a server', {
      ("Add this line to %s, below the line that loads the plugin: vim.lsp.enable('ttsr_ls')"):format(
        vim.fn.fnamemodify(vim.fs.joinpath(vim.fn.stdpath('config'), 'init.lua'), ':~')
      ),
      "For now: `:lua vim.lsp.enable('ttsr_ls')`",
    })
  end
  local clients = vim.lsp.get_clients({ name = 'ttsr_ls' })
  if #clients == 0 and vim.lsp.is_enabled('ttsr_ls') then
    vim.health.info("the server is not running: it starts when you open a rule; ':Ttsr new-rule' begins one")
  end
  for _, client in ipairs(clients) do
    vim.health.ok(('running for %s'):format(client.root_dir or 'no folder'))
  end
end

return M
