-- The runs as last received from the servers, and messages about new triggers. Knows no window and no buffer.

local answering = require('ttsr.answering')
local message = require('ttsr.message')

local M = {}

local NAME = 'ttsr_ls'
local MOMENT_MS = 400
-- The least time between two messages.
M.PAUSE_MS = 8000

---@type table[] triggers without a message so far
local unannounced = {}
local is_paused = false

---@type table<integer, table[]> by client: the workspaces as last received
local received = {}
---@type table<integer, integer> by client: the number of triggers with marks
local displayed = {}
---@type table<integer, true> the clients whose runs are known
local is_known = {}
---@type table<integer, table<string, integer>> by client: the last trigger of each session that was announced
local announced = {}
---@type fun(client: vim.lsp.Client, sessions: string[])[] called when runs changed
M.listeners = {}

---@return vim.lsp.Client[]
function M.clients()
  return vim.lsp.get_clients({ name = NAME })
end


---@param client vim.lsp.Client
---@param command string
---@param argument table?
---@param done fun(result: any)
function M.execute(client, command, argument, done)
  local params = { command = command, arguments = argument and { argument } or nil }
  client:request('workspace/executeCommand', params, function(failure, result)
    if failure then
      message.say(failure.message)
    else
      done(result)
    end
  end)
end

---Every session, with the client that received it.
---@return fun(): vim.lsp.Client?, table?, table? client, workspace, session
function M.sessions()
  local found = {}
  for _, client in ipairs(M.clients()) do
    for _, workspace in ipairs(received[client.id] or {}) do
      for _, session in ipairs(workspace.sessions) do
        found[#found + 1] = { client, workspace, session }
      end
    end
  end
  local number = 0
  return function()
    number = number + 1
    if found[number] then
      return unpack(found[number])
    end
  end
end

---How many triggers have marks: those of finished runs and cleared ones have none.
---@return integer
function M.displayed_triggers()
  return vim.iter(M.clients()):fold(0, function(sum, client)
    return sum + (displayed[client.id] or 0)
  end)
end

---Shows one message for all triggers since the last message. The pause between messages lets users read them.
local function announce()
  local triggers = unannounced
  local latest = triggers[#triggers]
  if latest == nil then
    is_paused = false
    return
  end
  unannounced, is_paused = {}, true
  vim.defer_fn(announce, M.PAUSE_MS)
  if #triggers == 1 then
    message.show(latest.message)
  else
    message.say(('%d triggers, the last one: %s'):format(#triggers, latest.message:gsub('^TTSR: ', '')))
  end
end

---The last received state of a trigger. A rule fires before the outcome of its trigger is known.
---@param trigger table
---@param identity string the session's id
local function newest(trigger, identity)
  for _, _, session in M.sessions() do
    if session.id == identity then
      for _, turn in ipairs(session.turns) do
        for _, one in ipairs(turn.triggers) do
          if one.number == trigger.number then
            return one
          end
        end
      end
    end
  end
  return trigger
end

local waiting, is_due = {}, false

---@param client vim.lsp.Client
local function collect_news(client)
  local last = announced[client.id] or {}
  announced[client.id] = last
  for _, workspace in ipairs(received[client.id]) do
    for _, session in ipairs(workspace.sessions) do
      for _, turn in ipairs(session.turns) do
        for _, trigger in ipairs(turn.triggers) do
          if trigger.number > (last[session.id] or -1) then
            last[session.id] = trigger.number
            if trigger.live and not trigger.silenced then
              waiting[#waiting + 1] = { trigger, session.id }
            end
          end
        end
      end
    end
  end
  if #waiting == 0 or is_due then
    return
  end
  is_due = true
  vim.defer_fn(function()
    local triggers = vim.tbl_map(function(one)
      return newest(one[1], one[2])
    end, waiting)
    waiting, is_due = {}, false
    if vim.tbl_get(client.config, 'settings', 'ttsr', 'notifications') ~= 'off' then
      vim.list_extend(unannounced, triggers)
      if not is_paused then
        announce()
      end
    end
    vim.api.nvim_exec_autocmds('User', { pattern = 'TtsrTriggered', data = { triggers = triggers } })
  end, MOMENT_MS)
end

---Asks a server for its runs.
---@param client vim.lsp.Client
---@param sessions string[] the ids of the sessions that changed
---@param done fun()?
function M.refresh(client, sessions, done)
  M.execute(client, 'ttsr.runs', nil, function(tree)
    received[client.id], is_known[client.id] = tree.workspaces, true
    -- An older server omits the number.
    displayed[client.id] = tree.displayedTriggers or 0
    for _, listener in ipairs(M.listeners) do
      listener(client, sessions)
    end
    collect_news(client)
    vim.cmd.redrawstatus({ bang = true })
    if done then
      done()
    end
  end)
end

---Calls `run` when the runs of a server are known. Without a server, a message says why there is none.
---@param run fun()
function M.when_known(run)
  local server = require('ttsr.server')
  -- The folder of this buffer may have no running server yet.
  server.start(0)
  local known = vim.iter(M.clients()):any(function(client)
    return is_known[client.id]
  end)
  if known then
    return run()
  end
  local client = vim.lsp.get_clients({ name = NAME, _uninitialized = true })[1]
  if client == nil then
    return server.say_why_none(0)
  end
  answering.with(client, function()
    M.refresh(client, {}, run)
  end, function()
    server.say_why_none(0)
  end)
end

---Called when a server is ready.
---@param client vim.lsp.Client
function M.attached(client)
  if received[client.id] == nil then
    received[client.id] = {}
    M.refresh(client, {})
  end
end

return M
