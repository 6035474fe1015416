-- Actions of the plugin's commands. Neovim's own client does everything else.

local M = {}

local message = require('ttsr.message')
local server = require('ttsr.server')

---How many marks of triggers there are, on rules and on files.
---@return integer
local function count_marks()
  local marks = vim.tbl_filter(function(each)
    return each.source == 'ttsr' and each.code == 'triggered'
  end, vim.diagnostic.get(nil))
  return #marks
end

---Clears all triggers until the next one.
function M.clear_triggers()
  require('ttsr.trial_why').close()
  -- The window of runs has no file, and so no server of its own.
  local client = server.client(0) or vim.lsp.get_clients({ name = 'ttsr_ls' })[1]
  local function clear(each)
    local count = count_marks()
    each:request('workspace/executeCommand', { command = 'ttsr.clearTriggers' }, function(failure)
      local cleared = ("marks are cleared: %d; runs stay until ':Ttsr clear-runs'"):format(count)
      if failure then
        return message.say(failure.message)
      end
      require('ttsr.run_data').refresh(each, {}, function()
        message.say(cleared, vim.log.levels.INFO)
      end)
    end)
  end
  if client == nil then
    return server.with_client(0, clear)
  end
  clear(client)
end

---For a status line: the server, and the runs in the folders of this Neovim; empty where no server runs.
---@return string with each '%' doubled, as |'statusline'| wants it
function M.status()
  local data = require('ttsr.run_data')
  if #data.clients() == 0 then
    return ''
  end
  local working, triggers = {}, data.displayed_triggers()
  for _, _, session in data.sessions() do
    if session.state == 'working' then
      working[#working + 1] = session.agent
    end
  end
  local parts = { 'TTSR' }
  parts[#parts + 1] = #working > 0 and table.concat(working, ', ') .. ' at work' or nil
  parts[#parts + 1] = triggers > 0 and ('⚡ %d'):format(triggers) or nil
  return (table.concat(parts, ' '):gsub('%%', '%%%%'))
end

return M
