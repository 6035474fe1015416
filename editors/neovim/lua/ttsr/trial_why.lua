-- `:TtsrWhy` explains why the rules that match at the cursor fire or not.

local message = require('ttsr.message')

local M = {}

---@type integer? the window of the float
local float

---The matches of the last test on a line, those at the cursor, else the nearest ones.
---@param items table[]
---@param row integer from 1
---@param col integer from 1, in bytes
---@return table[]
---@return boolean whether they are at the cursor
local function matches_at(items, row, col)
  local here, nearest, distance = {}, {}, math.huge
  for _, item in ipairs(items) do
    if item.lnum <= row and item.end_lnum >= row then
      local first = item.lnum < row and 1 or item.col
      local last = item.end_lnum > row and math.huge or item.end_col - 1
      local away = col < first and first - col or math.max(col - last, 0)
      if away == 0 then
        here[#here + 1] = item
      elseif away <= distance then
        nearest = away < distance and {} or nearest
        distance = away
        nearest[#nearest + 1] = item
      end
    end
  end
  return #here > 0 and here or nearest, #here > 0
end

---The line with a match that is nearest to a line.
---@param items table[]
---@param row integer
---@return integer?
local function nearest_line(items, row)
  local found
  for _, item in ipairs(items) do
    if found == nil or math.abs(item.lnum - row) < math.abs(found - row) then
      found = item.lnum
    end
  end
  return found
end

---The messages of the triggers on a line.
---@param row integer from 1
---@return string[]
local function triggers_on(row)
  local lines = {}
  for _, found in ipairs(vim.diagnostic.get(0, { lnum = row - 1 })) do
    if found.source == 'ttsr' and found.code == 'triggered' then
      lines[#lines + 1] = (found.message:gsub('%c', ' '))
    end
  end
  return lines
end

---Shows in a float the matches at the cursor, else the nearest ones of the line, or the triggers on it.
---@param items table[]? the matches of the last test of this buffer; nil where nothing was tested
function M.show(items)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local found, is_here = matches_at(items or {}, row, column + 1)
  local lines = {}
  for _, item in ipairs(found) do
    vim.list_extend(lines, #lines > 0 and { '---' } or {})
    vim.list_extend(lines, is_here and {} or { ('Nearest match of this line, at column %d:'):format(item.col) })
    vim.list_extend(lines, item.user_data.lines)
  end
  vim.list_extend(lines, #lines == 0 and triggers_on(row) or {})
  if #lines > 0 then
    local _, window = vim.lsp.util.open_floating_preview(lines, 'plaintext', { focus_id = 'ttsr.why', border = 'rounded' })
    float = window
  elseif items == nil then
    message.say("nothing is tested here yet: ':TtsrTest' tests this file")
  elseif #items == 0 then
    message.say('no rule matches the tested text; the result says why')
  else
    message.say(('no rule matches on this line; the nearest match is on line %d'):format(nearest_line(items, row)))
  end
end

---Closes the float.
function M.close()
  if float ~= nil and vim.api.nvim_win_is_valid(float) then
    vim.api.nvim_win_close(float, true)
  end
  float = nil
end

return M
