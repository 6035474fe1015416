-- Quickfix lists of the plugin: file names are relative paths, and entries never open in a window of the plugin.

local windows = require('ttsr.windows')

local M = {}

---The name of an item's file, as it is shown.
---@param item table
---@return string?
local function name_of(item)
  local path = item.filename or (item.bufnr and vim.api.nvim_buf_get_name(item.bufnr)) or ''
  return path ~= '' and vim.fn.fnamemodify(path, ':~:.') or nil
end

---@param title string
---@param items table[] as |setqflist()| has them; those with a `module` keep it as their name
---@param context string says which list it is; the newest list of the same context is replaced where `replaces`
---@param replaces boolean?
function M.set(title, items, context, replaces)
  for _, item in ipairs(items) do
    item.module = item.module or name_of(item)
  end
  local action = replaces and vim.fn.getqflist({ context = 0 }).context == context and 'r' or ' '
  vim.fn.setqflist({}, action, { title = title, items = items, context = context })
end

---Opens the entry at the cursor: in a window that already shows it, else in a window for files. Neovim itself would open
---a new window for each entry while a transcript is shown, because it does not count that window as one for files.
local function open_entry()
  local list = vim.fn.getqflist({ context = 0, items = 0 })
  local number = vim.fn.line('.')
  local item = list.items[number]
  if type(list.context) ~= 'string' or not vim.startswith(list.context, 'ttsr') or item == nil or item.valid == 0 then
    return vim.cmd.normal({ args = { vim.keycode('<CR>') }, bang = true })
  end
  local window = vim.fn.bufwinid(item.bufnr)
  if window > 0 then
    vim.api.nvim_set_current_win(window)
  else
    windows.go_to_ordinary()
  end
  vim.cmd(number .. 'cc')
end

---Opens the list. Its entries open in the window for files that was used last.
function M.open()
  if vim.bo.buftype ~= 'quickfix' then
    windows.go_to_ordinary()
  end
  vim.cmd('botright copen ' .. math.max(math.min(10, math.floor(vim.o.lines / 3)), 1))
  windows.wrap(0)
  vim.keymap.set('n', '<CR>', open_entry, { buffer = true, desc = 'Open the entry' })
end

return M
