-- What is to be done with a server as soon as it answers. Nothing waits inside of Neovim: people go on meanwhile.

local message = require('ttsr.message')

local M = {}

-- A server that answers sooner needs no message.
local SOON_MS = 100

---@class ttsr.Awaited
---@field id integer the client
---@field run fun(client: vim.lsp.Client)
---@field lost fun() called where the server ends before it answers

---@type ttsr.Awaited[]
local awaited = {}
---@type table<integer, true> the clients about which a message says that they start
local is_said = {}

---Runs the rest with a server: at once where it answers, else when it does.
---@param client vim.lsp.Client
---@param run fun(client: vim.lsp.Client)
---@param lost fun()
function M.with(client, run, lost)
  if client.initialized then
    return run(client)
  end
  awaited[#awaited + 1] = { id = client.id, run = run, lost = lost }
  vim.defer_fn(function()
    if not client.initialized and not client:is_stopped() and not is_said[client.id] then
      is_said[client.id] = true
      message.say('the server is starting; your command runs when it is ready', vim.log.levels.INFO)
    end
  end, SOON_MS)
end

---Called when a server is ready, or ended. Later, when its buffers are attached, or the client is gone.
M.settle = vim.schedule_wrap(function()
  local rest = awaited
  awaited = {}
  for _, one in ipairs(rest) do
    local client = vim.lsp.get_client_by_id(one.id)
    if client ~= nil and client.initialized then
      if is_said[client.id] and vim.api.nvim_get_mode().mode == 'n' then
        -- The message that the server starts is over.
        vim.api.nvim_echo({ { '' } }, false, {})
      end
      is_said[client.id] = nil
      one.run(client)
    elseif client == nil or client:is_stopped() then
      one.lost()
    else
      awaited[#awaited + 1] = one
    end
  end
end)

return M
