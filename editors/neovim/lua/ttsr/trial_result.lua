-- The window with the result of the last test. There is only one.

local windows = require('ttsr.windows')

local M = {}

local RESULT = 'ttsr://test'

---@type ttsr.Trial?
local shown

---Goes from a line of the result to the first match that it names.
local function jump()
  local line, column = vim.api.nvim_get_current_line():match('(%d+):(%d+)')
  if shown == nil or line == nil then
    return
  end
  local row = tonumber(line) - 1
  local text = vim.api.nvim_buf_get_lines(shown.buf, row, row + 1, false)[1] or ''
  local col = vim.str_byteindex(text, 'utf-32', tonumber(column) - 1, false)
  local window = vim.fn.bufwinid(shown.buf)
  if window >= 0 then
    vim.api.nvim_set_current_win(window)
    vim.api.nvim_win_set_cursor(window, { row + 1, col })
  end
end

---Shows the result of a trial in its one window; `opens` says whether to open the window where there is none.
---@param trial ttsr.Trial
---@param opens boolean
function M.show(trial, opens)
  shown = trial
  local buf = vim.fn.bufnr('^' .. RESULT .. '$')
  if buf < 0 then
    if not opens then
      return
    end
    buf = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buf, RESULT)
    vim.bo[buf].filetype = 'markdown'
    vim.bo[buf].bufhidden = 'wipe'
    vim.keymap.set('n', '<CR>', jump, { buffer = buf, desc = 'Go to the match on this line' })
    vim.keymap.set('n', 'q', function()
      require('ttsr.trial').close()
    end, { buffer = buf, desc = 'Close the result and remove the marks' })
  end
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(trial.result.report, '\n', { plain = true }))
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
  local window = vim.fn.bufwinid(buf)
  if window < 0 and opens then
    -- The cursor stays in the tested text.
    window = windows.below(buf, false, math.floor(vim.o.lines / 3))
    vim.wo[window].winfixbuf = true
    windows.wrap(window)
  end
  if window >= 0 then
    -- '%' is doubled, because Neovim would evaluate it, and the title contains names of rules.
    vim.wo[window].statusline = ('TTSR: ' .. trial.result.summary):gsub('%%', '%%%%') .. '%<'
  end
end

---Whether a buffer is that of the result.
---@param buf integer
---@return boolean
function M.is_shown_in(buf)
  return vim.api.nvim_buf_get_name(buf) == RESULT
end

---Closes the windows with the result.
---@return boolean whether there was one
function M.close()
  local buf = vim.fn.bufnr('^' .. RESULT .. '$')
  if buf < 0 then
    return false
  end
  -- Deleting the buffer closes its windows. If one of them is the only window, it stays with another buffer.
  vim.api.nvim_buf_delete(buf, { force = true })
  return true
end

return M
