-- Callbacks that run when a server is ready. Neovim is never blocked meanwhile.

local message = require('ttsr.message')

local M = {}

-- No message is shown for a server that is ready sooner.
local SOON_MS = 100

---@class ttsr.Awaited
---@field id integer the client
---@field run fun(client: vim.lsp.Client)
---@field lost fun() called where the server ends before it answers

---@type ttsr.Awaited[]
local awaited = {}
---@type table<integer, true> the clients whose start a message announced
local is_announced = {}

---Calls `run` with a server: at once if it is ready, else when it becomes ready.
---@param client vim.lsp.Client
---@param run fun(client: vim.lsp.Client)
---@param lost fun()
function M.with(client, run, lost)
  if client.initialized then
    return run(client)
  end
  awaited[#awaited + 1] = { id = client.id, run = run, lost = lost }
  vim.defer_fn(function()
    if not client.initialized and not client:is_stopped() and not is_announced[client.id] then
      is_announced[client.id] = true
      message.say('the server is starting; your command runs when it is ready', vim.log.levels.INFO)
    end
  end, SOON_MS)
end

---Called when a server is ready, or ended. Scheduled, so that its buffers are attached by then, or the client is removed.
M.settle = vim.schedule_wrap(function()
  local rest = awaited
  awaited = {}
  for _, one in ipairs(rest) do
    local client = vim.lsp.get_client_by_id(one.id)
    if client ~= nil and client.initialized then
      if is_announced[client.id] and vim.api.nvim_get_mode().mode == 'n' then
        -- Removes the message that the server is starting.
        vim.api.nvim_echo({ { '' } }, false, {})
      end
      is_announced[client.id] = nil
      one.run(client)
    elseif client == nil or client:is_stopped() then
      one.lost()
    else
      awaited[#awaited + 1] = one
    end
  end
end)

return M
