-- What the commands do. Neovim's own client does everything else.

local M = {}

local message = require('ttsr.message')
local server = require('ttsr.server')

---Takes all triggers away until the next one.
function M.clear_triggers()
  local client = server.client(0)
  -- A window of runs belongs to no file.
  local clients = client and { client } or vim.lsp.get_clients({ name = 'ttsr_ls' })
  if #clients == 0 then
    local is_starting = #vim.lsp.get_clients({ name = 'ttsr_ls', _uninitialized = true }) > 0
    local reason = is_starting and 'the server is starting; try again' or "no server is running; see ':checkhealth ttsr'"
    return message.say(reason)
  end
  for _, each in ipairs(clients) do
    each:request('workspace/executeCommand', { command = 'ttsr.clearTriggers' }, function(failure)
      message.say(failure and failure.message or 'the triggers are cleared', failure == nil and vim.log.levels.INFO or nil)
    end)
  end
end

return M
