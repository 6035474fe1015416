-- Messages of the plugin. Each is one line, because Neovim asks for a key after a longer one. `:Ttsr messages` shows all
-- of them in full.

local M = {}

local MAX_MESSAGES = 100
local NAME = 'ttsr://messages'

---@type string[] in full, the oldest first
local history = {}

-- A longer last word is shortened instead of dropped, because it may be the name of the rule.
local LONGEST_WORD = 12

---Shortens a text to some columns, between words or within a long word. Measures the text itself, because a window may
---break lines.
---@param text string
---@param room integer columns
---@return string
function M.cut(text, room)
  if vim.fn.strwidth(text) <= room then
    return text
  end
  local shown = vim.fn.strcharpart(text, 0, room - 1)
  while vim.fn.strwidth(shown) > room - 1 do
    shown = vim.fn.strcharpart(shown, 0, vim.fn.strchars(shown) - 1)
  end
  local words = shown:match('^(.*)%s%S*$')
  return (words and #shown - #words <= LONGEST_WORD and words or shown) .. '…'
end

---A number with its noun, such as "1 place" and "2 places".
---@param count integer
---@param noun string
---@return string
function M.counted(count, noun)
  return ('%d %s%s'):format(count, noun, count == 1 and '' or 's')
end

---Shows a text on one line.
---@param text string
---@param level integer? of |vim.log.levels|; a warning if there is none
function M.show(text, level)
  history[#history + 1] = os.date('%H:%M:%S ') .. text
  if #history > MAX_MESSAGES then
    table.remove(history, 1)
  end
  -- Clears an earlier message. Two messages below each other would scroll, and Neovim would ask for a key.
  vim.cmd.redraw()
  vim.notify(M.cut((text:gsub('%s+', ' ')), math.max(vim.v.echospace, 20)), level or vim.log.levels.WARN)
end

---Shows a text of this plugin.
---@param text string
---@param level integer?
function M.say(text, level)
  M.show('TTSR: ' .. text, level)
end

---Opens all messages in full.
function M.open()
  local buf = vim.fn.bufnr('^' .. NAME .. '$')
  if buf < 0 then
    buf = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buf, NAME)
    vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, desc = 'Close the messages' })
  end
  local lines = {}
  for _, text in ipairs(#history > 0 and history or { 'There are no messages yet.' }) do
    vim.list_extend(lines, vim.split(text, '\r?\n'))
  end
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  local window = vim.fn.bufwinid(buf)
  if window < 0 then
    window = require('ttsr.windows').below(buf, true, math.min(#lines, math.floor(vim.o.lines / 3)))
    require('ttsr.windows').wrap(window)
  end
  vim.api.nvim_set_current_win(window)
  vim.api.nvim_win_set_cursor(window, { #lines, 0 })
end

return M
