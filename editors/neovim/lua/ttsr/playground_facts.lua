-- The lines below the sample of a playground: whether the rule fires, and why.

local answer = require('ttsr.trial_answer')
local message = require('ttsr.message')

local M = {}

local COLORS = { 'DiffText', 'DiffAdd', 'DiffChange', 'IncSearch', 'Visual', 'DiffDelete' }

for index, link in ipairs(COLORS) do
  vim.api.nvim_set_hl(0, 'TtsrCondition' .. index, { link = link, default = true })
end

---@param index integer from 0
---@return string
function M.color(index)
  return 'TtsrCondition' .. (index % #COLORS + 1)
end

---@param text string
---@return string on one line
local function one_line(text)
  return (text:gsub('%c', ' '))
end

---Whether a rule has fired in the deltas that are shown.
---@param play ttsr.Playground
---@param firing table
---@return boolean
function M.has_fired(play, firing)
  return play.shown == nil or (not firing.atEnd and firing.delta <= play.shown)
end

---@param step table
---@return table[] virtual line
local function gate_line(step)
  local sign = step.verdict == 'passes' and '✓' or step.verdict == 'stops' and '✗' or '?'
  local fix = type(step.fix) == 'string' and (' ' .. step.fix) or ''
  local style = step.verdict == 'stops' and 'DiagnosticError' or 'Comment'
  return { { ('%s %s: %s%s'):format(sign, step.gate, one_line(step.text), fix), style } }
end

---The lines of the gates.
---@param play ttsr.Playground
---@param stops boolean true: the gates that stop the rule; false: all others
---@return table[] virtual lines
local function gates(play, stops)
  local steps = vim.tbl_filter(function(step)
    return (step.verdict == 'stops') == stops
  end, (play.result or {}).gates or {})
  return vim.tbl_map(gate_line, steps)
end

---The result in one line. A rule that fires on the whole sample has not fired in deltas before its firing.
---@param play ttsr.Playground
---@param rule table?
---@return string
local function summary(play, rule)
  local firing = rule and rule.verdict == 'fires' and rule[rule.matching]
  if type(firing) ~= 'table' or M.has_fired(play, firing) then
    return one_line(play.result.summary or '')
  end
  local when = firing.atEnd and 'when the block ends' or ('with delta %d of %d'):format(firing.delta, play.result.deltas)
  return ("'%s' would fire %s"):format(one_line(rule.name), when)
end

---The lines below the sample: the result, the gates that stop the rule, the conditions, the groups, and the other gates.
---@param play ttsr.Playground
---@param encoding string
---@return table[] virtual lines
function M.lines(play, encoding)
  local result = play.result or {}
  local rule = (result.rules or {})[1]
  local shown = play.shown or result.deltas
  local lines = { { { summary(play, rule), 'Title' } } }
  vim.list_extend(lines, gates(play, true))
  lines[#lines + 1] = { { ('delta %d of %d, of %s'):format(shown, result.deltas, message.counted(result.chunk, 'character')), 'Comment' } }
  for _, mode in ipairs(rule and { 'stable', 'reference' } or {}) do
    local firing = rule[mode]
    local has_fired = type(firing) == 'table' and M.has_fired(play, firing)
    lines[#lines + 1] = { { mode .. ': ' .. answer.firing_text(firing), has_fired and 'WarningMsg' or 'Comment' } }
  end
  for index, condition in ipairs(rule and rule.conditions or {}) do
    lines[#lines + 1] = { { condition.state, M.color(index - 1) }, { '  ' .. one_line(condition.text) } }
  end
  for _, match in ipairs(rule and rule.matches or {}) do
    for _, capture in ipairs(match.groups) do
      local row, col = answer.place(play.sample, capture.range.start, { 0, 0 }, encoding)
      local end_row, end_col = answer.place(play.sample, capture.range['end'], { 0, 0 }, encoding)
      local captured = table.concat(vim.api.nvim_buf_get_text(play.sample, row, col, end_row, end_col, {}), ' ')
      local name = type(capture.name) == 'string' and (' ' .. capture.name) or ''
      lines[#lines + 1] = { { ('group %d%s = '):format(capture.number, name), 'Comment' }, { one_line(captured) } }
    end
  end
  return vim.list_extend(lines, gates(play, false))
end

---Breaks a virtual line between words, as Neovim cuts it at the edge of the window without a mark.
---@param line table[] chunks of text and highlight group
---@param width integer columns
---@return table[] virtual lines
function M.wrap(line, width)
  local rows, row, room = {}, {}, width
  for _, chunk in ipairs(line) do
    for word in chunk[1]:gmatch('%s*%S+') do
      if vim.fn.strwidth(word) > room and #row > 0 then
        rows[#rows + 1] = row
        row, room, word = { { '  ' } }, width - 2, vim.trim(word)
      end
      while vim.fn.strwidth(word) > room and room > 0 do
        local part = vim.fn.strcharpart(word, 0, room)
        row[#row + 1] = { part, chunk[2] }
        rows[#rows + 1] = row
        row, room, word = { { '  ' } }, width - 2, word:sub(#part + 1)
      end
      row[#row + 1] = { word, chunk[2] }
      room = room - vim.fn.strwidth(word)
    end
    local blanks = chunk[1]:match('%s*$'):sub(1, math.max(room, 0))
    row[#row + 1] = { blanks }
    room = room - #blanks
  end
  rows[#rows + 1] = row
  return rows
end

return M
