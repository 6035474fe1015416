-- Pages of the manual: a read-only buffer for each, in one window.

local message = require('ttsr.message')
local server = require('ttsr.server')
local windows = require('ttsr.windows')

local M = {}

local SCHEME = 'ttsr-docs:'
---@type integer? the buffer that is being loaded, and whose text is known
local filled

---The page of a link in a page.
---@param page string
---@param link string
---@return string
local function page_of(page, link)
  local folder = page:match('^ttsr%-docs:(.*/)')
  return SCHEME .. vim.fs.normalize(folder .. link:gsub('#.*$', ''))
end

---Opens the page that a link on the line of the cursor leads to, the one at the cursor first.
local function follow()
  local line, column = vim.api.nvim_get_current_line(), vim.api.nvim_win_get_cursor(0)[2]
  local nearest
  local from = 1
  while true do
    local first, last, link = line:find('%]%(([%w%./_-]+%.md[#%w-]*)%)', from)
    if first == nil then
      break
    end
    nearest = (nearest == nil or first <= column + 1) and link or nearest
    from = last + 1
  end
  if nearest ~= nil then
    M.open(page_of(vim.api.nvim_buf_get_name(0), nearest))
  end
end

---Fills the buffer of a page.
---@param buf integer
---@param text string
local function fill(buf, text)
  vim.bo[buf].buftype, vim.bo[buf].bufhidden, vim.bo[buf].swapfile = 'nofile', 'hide', false
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(vim.trim(text), '\n', { plain = true }))
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
  vim.bo[buf].filetype = 'markdown'
  vim.keymap.set('n', '<CR>', follow, { buffer = buf, desc = 'Open the page of the link' })
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, desc = 'Close the documentation' })
end

---The window with a page of the manual.
---@return integer?
local function window_with_page()
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.startswith(vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)), SCHEME) then
      return window
    end
  end
end

---@param uri string
---@param text string
local function show(uri, text)
  -- Each page has its own buffer, and all share one window, so that CTRL-O leads back.
  local buf = vim.fn.bufadd(uri)
  local is_loaded = vim.api.nvim_buf_is_loaded(buf)
  if not is_loaded then
    -- The text is known, so `read` must not request it again.
    filled = buf
    vim.fn.bufload(buf)
    filled = nil
  end
  local window = window_with_page()
  if window == nil then
    window = windows.below(buf, true)
  end
  vim.api.nvim_set_current_win(window)
  vim.cmd("normal! m'")
  fill(buf, text)
  vim.api.nvim_win_set_buf(window, buf)
  vim.wo[window][0].conceallevel = 2
  windows.wrap(window)
  if not is_loaded then
    vim.api.nvim_win_set_cursor(window, { 1, 0 })
  end
end

---Asks for a page.
---@param uri string
---@param shown fun(page: {uri: string, text: string})
local function ask(uri, shown)
  -- All servers have the same manual, so any running one will do.
  local function request(client)
    local params = { command = 'ttsr.documentation', arguments = { uri } }
    client:request('workspace/executeCommand', params, function(problem, page)
      if problem ~= nil then
        message.say(problem.message)
      else
        shown(page)
      end
    end)
  end
  local client = server.client(0) or vim.lsp.get_clients({ name = 'ttsr_ls' })[1]
  if client ~= nil then
    return request(client)
  end
  server.with_client(0, request)
end

---Fills a buffer that is opened by its name, as links and `:edit` do.
---@param buf integer
function M.read(buf)
  if buf == filled then
    return
  end
  -- Set before the page arrives, so that other plugins do not treat the buffer as a file.
  vim.bo[buf].buftype, vim.bo[buf].swapfile = 'nofile', false
  ask(vim.api.nvim_buf_get_name(buf), function(page)
    if vim.api.nvim_buf_is_loaded(buf) then
      fill(buf, page.text)
    end
  end)
end

---Opens a page of the manual.
---@param uri string
function M.open(uri)
  ask(uri, function(page)
    show(page.uri, page.text)
  end)
end

---@type string[] of the manual, once they were asked for
local codes = {}

---The codes of all findings, from the index of the manual; empty while no server runs or answers.
---@return string[]
function M.codes()
  local client = server.client(0) or vim.lsp.get_clients({ name = 'ttsr_ls' })[1]
  if #codes == 0 and client ~= nil then
    local params = { command = 'ttsr.documentation', arguments = { SCHEME .. '/findings.md' } }
    client:request('workspace/executeCommand', params, function(_, page)
      codes = {}
      for code in (page and page.text or ''):gmatch('%]%(findings/([%w-]+)%.md%)') do
        codes[#codes + 1] = code
      end
    end)
    -- A later answer is used by the next completion.
    vim.wait(100, function()
      return #codes > 0
    end, 5)
  end
  return vim.list_slice(codes)
end

---Opens the page of a code, else of the finding on the line of the cursor.
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
    return message.say("no finding on this line; ':Ttsr docs CODE' opens a page")
  end
  M.open('ttsr-docs:/findings/' .. code .. '.md')
end

return M
