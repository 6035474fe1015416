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
  -- A window of runs belongs to no file.
  local clients = client and { client } or vim.lsp.get_clients({ name = 'ttsr_ls' })
  if #clients == 0 then
    return complain('no server is running')
  end
  for _, each in ipairs(clients) do
    each:request('workspace/executeCommand', { command = 'ttsr.clearTriggers' })
  end
end

return M
