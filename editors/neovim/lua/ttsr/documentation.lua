-- Pages of the manual: one read-only buffer, which each page replaces.

local server = require('ttsr.server')

local M = {}

local NAME = 'ttsr://documentation'

---@type string?
local shown

---The page of a link in a page.
---@param link string
---@return string
local function page_of(link)
  local folder = shown:match('^(ttsr%-docs:.*/)')
  local path = vim.fs.normalize(folder:sub(#'ttsr-docs:' + 1) .. link:gsub('#.*$', ''))
  return 'ttsr-docs:' .. path
end

---Opens the page that a link on the line of the cursor leads to, the one at the cursor first.
local function follow()
  local line, column = vim.api.nvim_get_current_line(), vim.api.nvim_win_get_cursor(0)[2]
  local nearest
  local from = 1
  while shown ~= nil do
    local first, last, link = line:find('%]%(([%w%./_-]+%.md[#%w-]*)%)', from)
    if first == nil then
      break
    end
    nearest = (nearest == nil or first <= column + 1) and link or nearest
    from = last + 1
  end
  if nearest ~= nil then
    M.open(page_of(nearest))
  end
end

---@return integer
local function buffer()
  local buf = vim.fn.bufnr('^' .. NAME .. '$')
  if buf < 0 then
    buf = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buf, NAME)
    vim.bo[buf].bufhidden = 'hide'
    vim.bo[buf].filetype = 'markdown'
    vim.keymap.set('n', '<CR>', follow, { buffer = buf, desc = 'Open the page of the link' })
    vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, desc = 'Close the documentation' })
  end
  return buf
end

---@param uri string
---@param text string
local function show(uri, text)
  shown = uri
  local buf = buffer()
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(vim.trim(text), '\n', { plain = true }))
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
  local window = vim.fn.bufwinid(buf)
  if window < 0 then
    window = vim.api.nvim_open_win(buf, true, { split = 'below' })
    vim.wo[window].conceallevel = 2
    vim.wo[window].wrap = true
    vim.wo[window].linebreak = true
  end
  vim.api.nvim_set_current_win(window)
  vim.api.nvim_win_set_cursor(window, { 1, 0 })
end

---Opens a page of the manual.
---@param uri string
function M.open(uri)
  local client = server.answering(0) or vim.lsp.get_clients({ name = 'ttsr_ls' })[1]
  if client == nil then
    return vim.notify("TTSR: there is no server for this file; see ':checkhealth ttsr'", vim.log.levels.WARN)
  end
  local params = { command = 'ttsr.documentation', arguments = { uri } }
  client:request('workspace/executeCommand', params, function(problem, page)
    if problem ~= nil then
      vim.notify('TTSR: ' .. problem.message, vim.log.levels.WARN)
    else
      show(page.uri, page.text)
    end
  end)
end

---Opens the page of a finding: of a code, else of what is found on the line of the cursor.
---@param code string?
function M.open_code(code)
  if code == nil then
    local found = vim.diagnostic.get(0, { lnum = vim.api.nvim_win_get_cursor(0)[1] - 1 })
    local column = vim.api.nvim_win_get_cursor(0)[2]
    local ours = vim.tbl_filter(function(each)
      return each.source == 'ttsr' and each.code ~= nil and each.code ~= 'triggered'
    end, found)
    table.sort(ours, function(one, other)
      local function away(each)
        return (column >= each.col and column < math.max(each.end_col, each.col + 1)) and 0 or 1
      end
      return away(one) < away(other)
    end)
    code = ours[1] and ours[1].code
  end
  if code == nil then
    return vim.notify('TTSR: there is no finding on this line', vim.log.levels.WARN)
  end
  M.open('ttsr-docs:/findings/' .. code .. '.md')
end

return M
