-- Opens windows of the plugin, on large and on small screens.

local M = {}

-- The least size of the text beside a window, and of a window with a text.
local LEAST_COLUMNS = 40
local LEAST_LINES = 3
-- Up to this many columns, two texts are shown one above the other.
local NARROW = 88

---Whether a window is for files: no float, no list, no window that keeps its buffer.
---@param window integer
---@return boolean
local function is_ordinary(window)
  if vim.api.nvim_win_get_config(window).relative ~= '' or vim.wo[window].winfixbuf or vim.wo[window].previewwindow then
    return false
  end
  local buf = vim.api.nvim_win_get_buf(window)
  return vim.bo[buf].buftype == '' or vim.bo[buf].filetype == 'ttsr-transcript'
end

---Opens a window for a buffer. Where there is no room below the window of the cursor, it goes below all windows.
---@param buf integer
---@param enter boolean
---@param height integer? lines; nil: half of what there is
---@return integer window
function M.below(buf, enter, height)
  local room = vim.api.nvim_win_get_height(0)
  local config = { split = 'below', height = height and math.max(math.min(height, room - LEAST_LINES), LEAST_LINES) }
  -- The window of runs has no room below it, because it is narrow or only a few lines high.
  if room < 2 * LEAST_LINES or vim.wo.winfixbuf or vim.wo.winfixwidth or vim.wo.winfixheight then
    config = { split = 'below', win = -1, height = height and math.min(height, math.max(math.floor(vim.o.lines / 3), 1)) }
  end
  return vim.api.nvim_open_win(buf, enter, config)
end

---Opens a window for a buffer to the right of the cursor's; above it, and larger, where both would be narrow.
---@param buf integer
---@return integer window
function M.beside(buf)
  if vim.api.nvim_win_get_width(0) <= NARROW then
    local room = vim.api.nvim_win_get_height(0)
    if room < 3 * LEAST_LINES or vim.wo.winfixbuf then
      return M.below(buf, true)
    end
    return vim.api.nvim_open_win(buf, true, { split = 'above', height = math.floor(room * 0.6) })
  end
  return vim.api.nvim_open_win(buf, true, { split = 'right' })
end

---Opens a window for a buffer at the left of the screen; above all others where they would be narrow.
---@param buf integer
---@param width integer columns
---@return integer window
function M.at_side(buf, width)
  local is_wide = vim.o.columns > width + LEAST_COLUMNS
  local size = is_wide and { split = 'left', width = width }
    or { split = 'above', height = math.max(math.floor(vim.o.lines / 3), LEAST_LINES) }
  local window = vim.api.nvim_open_win(buf, true, vim.tbl_extend('error', size, { win = -1 }))
  vim.wo[window].winfixwidth, vim.wo[window].winfixheight = is_wide, not is_wide
  return window
end

---Shows long lines of a window's buffer whole, broken between words, and with their indentation.
---@param window integer
function M.wrap(window)
  -- Options of this window for this buffer only.
  local options = vim.wo[window][0]
  options.wrap, options.linebreak, options.breakindent = true, true, true
end

---Goes to a window for files: the previous one, another one of this tab, or a new one.
function M.go_to_ordinary()
  local windows = vim.list_extend({ vim.fn.win_getid(vim.fn.winnr('#')) }, vim.api.nvim_tabpage_list_wins(0))
  if is_ordinary(0) then
    return
  end
  for _, window in ipairs(windows) do
    if window ~= 0 and is_ordinary(window) then
      return vim.api.nvim_set_current_win(window)
    end
  end
  local is_wide = vim.o.columns - vim.api.nvim_win_get_width(0) > LEAST_COLUMNS or vim.o.columns > 2 * LEAST_COLUMNS
  local buf = vim.api.nvim_create_buf(true, false)
  vim.api.nvim_open_win(buf, true, { split = is_wide and 'right' or 'below', win = -1 })
end

return M
