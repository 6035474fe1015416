-- Replaces lines of a buffer that no user edits. Only lines that differ are replaced, so that the others keep their folds.

local M = {}

---@param lines string[]
---@return string
local function text_of(lines)
  return #lines == 0 and '' or table.concat(lines, '\n') .. '\n'
end

---Replaces the lines of a buffer from `first` on (from 0).
---@param buf integer
---@param first integer
---@param lines string[]
function M.from(buf, first, lines)
  local before = vim.api.nvim_buf_get_lines(buf, first, -1, false)
  -- Neovim 0.12 renamed vim.diff.
  local diff = vim.text.diff or vim.diff
  local hunks = diff(text_of(before), text_of(lines), { result_type = 'indices' }) --[[@as integer[][] ]]
  vim.bo[buf].modifiable = true
  for number = #hunks, 1, -1 do
    local from, count, new_from, new_count = unpack(hunks[number])
    -- A hunk without old lines is inserted after its line.
    local start = first + (count == 0 and from or from - 1)
    vim.api.nvim_buf_set_lines(buf, start, start + count, false, vim.list_slice(lines, new_from, new_from + new_count - 1))
  end
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
end

return M
