-- What the commands do. Neovim's own client does everything else.

local M = {}

local server = require('ttsr.server')

---@param message string
local function complain(message)
  vim.notify('TTSR: ' .. message, vim.log.levels.WARN)
end

---@param title string
---@param report string
local function show(title, report)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(report, '\n', { plain = true }))
  vim.bo[bufnr].filetype = 'markdown'
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].modifiable = false
  vim.cmd.split()
  vim.api.nvim_win_set_buf(0, bufnr)
  -- The title has names of rules. After a '%' Neovim would evaluate what stands there.
  vim.wo[0].statusline = (title:gsub('%%', '%%%%'))
end

---Tries the rules on lines of the buffer: in a rule file that rule, elsewhere all rules of the workspace, as an edit of
---the file.
---@param first integer the first line, from 1
---@param last integer the last line
function M.test(first, last)
  local client = server.answering(0)
  if client == nil then
    return complain("there is no server for this file; see ':checkhealth ttsr'")
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(0, first - 1, last, false), '\n') .. '\n'
  local arguments = { { uri = vim.uri_from_bufnr(0), text = text } }
  client:request('workspace/executeCommand', { command = 'ttsr.test', arguments = arguments }, function(failure, result)
    if failure ~= nil then
      return complain(failure.message)
    end
    show('TTSR: ' .. result.summary, result.report)
  end)
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
