-- Reads answers to `ttsr/testText` (docs/lsp-extensions.md): positions in a buffer, and texts.

local message = require('ttsr.message')

local M = {}

---The row and the column in bytes, from 0, of a position of a text that begins at `base` of a buffer.
---@param buf integer
---@param position lsp.Position
---@param base integer[]
---@param encoding string
---@return integer, integer
function M.place(buf, position, base, encoding)
  local row = base[1] + position.line
  local first = position.line == 0 and base[2] or 0
  local line = (vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''):sub(first + 1)
  return row, first + vim.str_byteindex(line, encoding, position.character, false)
end

---@param firing table?
---@return string
function M.firing_text(firing)
  if firing == nil or firing == vim.NIL then
    return 'silent'
  elseif firing.atEnd then
    return 'when the block ends'
  end
  return ('with delta %d, after %s'):format(firing.delta, message.counted(firing.offset, 'character'))
end

---A match in one line, for a list.
---@param rule table
---@param match table
---@return string
function M.summary(rule, match)
  local stopped = type(rule.stoppedBy) == 'table' and (' (“%s” stops it)'):format(rule.stoppedBy.gate) or ''
  local text = ('%s %s%s: %s'):format(rule.name, rule.verdict, stopped, rule.conditions[match.condition + 1].text)
  return (text:gsub('%c', ' '))
end

---@param rule table
---@param match table
---@return string[] lines of Markdown for a float
function M.explanation(rule, match)
  local condition = rule.conditions[match.condition + 1].text
  local lines = { ('%s %s'):format(rule.name, rule.verdict == 'fires' and 'fires' or ('matches and is ' .. rule.verdict)) }
  lines[#lines + 1] = 'Condition: ' .. condition
  if type(rule.stoppedBy) == 'table' then
    local fix = type(rule.stoppedBy.fix) == 'string' and (' ' .. rule.stoppedBy.fix) or ''
    lines[#lines + 1] = ('The gate “%s” stops it. %s%s'):format(rule.stoppedBy.gate, rule.stoppedBy.text, fix)
  end
  if type(rule.streaming) == 'string' then
    lines[#lines + 1] = rule.streaming
  end
  return vim.tbl_map(function(line)
    return (line:gsub('%c', ' '))
  end, lines)
end

---Calls `each` for all matches, those of rules that fire last, so that their marks are above the others.
---@param result table
---@param each fun(rule: table, match: table)
function M.for_matches(result, each)
  for _, fires in ipairs({ false, true }) do
    for _, rule in ipairs(result.rules) do
      if (rule.verdict == 'fires') == fires then
        for _, match in ipairs(rule.matches) do
          each(rule, match)
        end
      end
    end
  end
end

return M
