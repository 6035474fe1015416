-- What the commands do. Neovim's own client does everything else.

local M = {}

local server = require('ttsr.server')

---@param message string
local function complain(message)
  vim.notify('TTSR: ' .. message, vim.log.levels.WARN)
end

---Takes all triggers away until the next one.
function M.clear_triggers()
  local client = server.client(0)
  if client == nil then
    return complain('no server is running for this file')
  end
  client:request('workspace/executeCommand', { command = 'ttsr.clearTriggers' })
end

return M
