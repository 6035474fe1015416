-- What the commands do, and which files the server is told of. Neovim's own client does everything else.

local M = {}

local NAME = 'ttsr_ls'
local group = vim.api.nvim_create_augroup('ttsr_ls.open_files', {})

---@return vim.lsp.Client?
local function client()
  return vim.lsp.get_clients({ name = NAME })[1]
end

---@param message string
local function complain(message)
  vim.notify('TTSR: ' .. message, vim.log.levels.WARN)
end

---Triggers show on the file that an agent writes, of any language, while it is open. The server is attached to rule
---files only, so it is told which other files are open; it reads them from the disk itself, unless they are modified.
---@param method string
---@param bufnr integer
local function tell(method, bufnr)
  local server = client()
  if server == nil or vim.bo[bufnr].buftype ~= '' or vim.api.nvim_buf_get_name(bufnr) == '' then
    return
  end
  if not vim.lsp.buf_is_attached(bufnr, server.id) then
    local params = { uri = vim.uri_from_bufnr(bufnr) }
    if method == 'ttsr/didOpen' and vim.bo[bufnr].modified then
      params.text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n') .. '\n'
      params.version = vim.api.nvim_buf_get_changedtick(bufnr)
    end
    server:notify(method, params)
  end
end

---A file that shows triggers has changed, in the buffer or on the disk: they are to stand where they are seen.
---@param bufnr integer
local function tell_change(bufnr)
  local server = client()
  if server == nil then
    return
  end
  local namespace = vim.lsp.diagnostic.get_namespace(server.id)
  if #vim.diagnostic.get(bufnr, { namespace = namespace }) > 0 then
    tell('ttsr/didOpen', bufnr)
  end
end

---Called when the server comes to be attached to a buffer.
function M.attached()
  vim.api.nvim_clear_autocmds({ group = group })
  vim.api.nvim_create_autocmd('BufReadPost', {
    group = group,
    callback = function(event)
      tell('ttsr/didOpen', event.buf)
    end,
  })
  vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave', 'BufWritePost', 'FileChangedShellPost' }, {
    group = group,
    callback = function(event)
      tell_change(event.buf)
    end,
  })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    callback = function(event)
      tell('ttsr/didClose', event.buf)
    end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      tell('ttsr/didOpen', bufnr)
    end
  end
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
  local server = client()
  if server == nil then
    return complain("the server is not running; see ':checkhealth ttsr'")
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(0, first - 1, last, false), '\n') .. '\n'
  local arguments = { { uri = vim.uri_from_bufnr(0), text = text } }
  server:request('workspace/executeCommand', { command = 'ttsr.test', arguments = arguments }, function(failure, result)
    if failure ~= nil then
      return complain(failure.message)
    end
    show('TTSR: ' .. result.summary, result.report)
  end)
end

---Takes all triggers away until the next one.
function M.clear_triggers()
  local server = client()
  if server == nil then
    return complain('the server is not running')
  end
  server:request('workspace/executeCommand', { command = 'ttsr.clearTriggers' })
end

return M
