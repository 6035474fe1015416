-- The playground: a rule in one window, a sample beside it, tried again with each change of either.
--
-- In the sample, `]d` and `[d` stream one delta on or back, `]D` and `[D` go to the end and before the first.

local answer = require('ttsr.trial_answer')
local message = require('ttsr.message')
local server = require('ttsr.server')
local windows = require('ttsr.windows')

local M = {}

local namespace = vim.api.nvim_create_namespace('ttsr.playground')
local group = vim.api.nvim_create_augroup('ttsr.playground', {})
local NAME = 'ttsr://sample'
local KINDS = require('ttsr.trial').KINDS
local COLORS = { 'DiffText', 'DiffAdd', 'DiffChange', 'IncSearch', 'Visual', 'DiffDelete' }

---@class ttsr.Playground
---@field rule integer buffer of the rule
---@field sample integer buffer of the sample
---@field kind string? what the sample is; nil is a stream in the scope of the rule
---@field chunk integer how many characters a delta has
---@field shown integer? how many deltas have come; nil is all
---@field result table?
---@field encoding string? of the places in the result
---@field is_busy boolean
---@field is_dirty boolean

---@type ttsr.Playground?
local current

for index, link in ipairs(COLORS) do
  vim.api.nvim_set_hl(0, 'TtsrCondition' .. index, { link = link, default = true })
end
vim.api.nvim_set_hl(0, 'TtsrPending', { link = 'NonText', default = true })

---@param index integer from 0
---@return string
local function color(index)
  return 'TtsrCondition' .. (index % #COLORS + 1)
end

---@param buf integer
---@return string
local function text_of(buf)
  return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
end

---@param text string
---@return string on one line
local function one_line(text)
  return (text:gsub('%c', ' '))
end

---The lines below the sample: what came of it, the conditions, groups, and gates.
---@param play ttsr.Playground
---@param encoding string
---@return table[] virtual lines
local function facts(play, encoding)
  local result = play.result or {}
  local rule = (result.rules or {})[1]
  local shown = play.shown or result.deltas
  local lines = {
    { { one_line(result.summary or ''), 'Title' } },
    { { ('delta %d of %d, of %d characters'):format(shown, result.deltas, result.chunk), 'Comment' } },
  }
  for _, mode in ipairs(rule and { 'stable', 'reference' } or {}) do
    local firing = rule[mode]
    local has_fired = type(firing) == 'table' and (play.shown == nil or (not firing.atEnd and firing.delta <= play.shown))
    lines[#lines + 1] = { { mode .. ': ' .. answer.firing_text(firing), has_fired and 'WarningMsg' or 'Comment' } }
  end
  for index, condition in ipairs(rule and rule.conditions or {}) do
    lines[#lines + 1] = { { condition.state, color(index - 1) }, { '  ' .. one_line(condition.text) } }
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
  for _, step in ipairs(result.gates or {}) do
    local sign = step.verdict == 'passes' and '✓' or step.verdict == 'stops' and '✗' or '?'
    local fix = type(step.fix) == 'string' and (' ' .. step.fix) or ''
    local style = step.verdict == 'stops' and 'DiagnosticError' or 'Comment'
    lines[#lines + 1] = { { ('%s %s: %s%s'):format(sign, step.gate, one_line(step.text), fix), style } }
  end
  return lines
end

---Breaks a virtual line between words, as Neovim cuts it at the edge of the window without a mark.
---@param line table[] chunks of text and highlight group
---@param width integer columns
---@return table[] virtual lines
local function wrap(line, width)
  local rows, row, room = {}, {}, width
  for _, chunk in ipairs(line) do
    for word in chunk[1]:gmatch('%s*%S+') do
      if vim.fn.strdisplaywidth(word) > room and #row > 0 then
        rows[#rows + 1] = row
        row, room, word = { { '  ' } }, width - 2, vim.trim(word)
      end
      while vim.fn.strdisplaywidth(word) > room and room > 0 do
        local part = vim.fn.strcharpart(word, 0, room)
        row[#row + 1] = { part, chunk[2] }
        rows[#rows + 1] = row
        row, room, word = { { '  ' } }, width - 2, word:sub(#part + 1)
      end
      row[#row + 1] = { word, chunk[2] }
      room = room - vim.fn.strdisplaywidth(word)
    end
    local blanks = chunk[1]:match('%s*$'):sub(1, math.max(room, 0))
    row[#row + 1] = { blanks }
    room = room - #blanks
  end
  rows[#rows + 1] = row
  return rows
end

---Scrolls back to the text above the cursor: while somebody types, a new line is below the lines with the result for a
---moment, and Neovim scrolls the text away.
---@param window integer
local function show_sample(window)
  vim.api.nvim_win_call(window, function()
    local top = math.max(1, vim.fn.line('.') - math.floor(vim.api.nvim_win_get_height(0) / 2))
    if vim.fn.line('w0') > top then
      vim.fn.winrestview({ topline = top })
    end
  end)
end

---@param play ttsr.Playground
---@param encoding string
local function draw(play, encoding)
  vim.api.nvim_buf_clear_namespace(play.sample, namespace, 0, -1)
  answer.for_matches(play.result, function(_, match)
    local row, col = answer.place(play.sample, match.range.start, { 0, 0 }, encoding)
    local end_row, end_col = answer.place(play.sample, match.range['end'], { 0, 0 }, encoding)
    local style = { end_row = end_row, end_col = end_col, hl_group = color(match.condition) }
    vim.api.nvim_buf_set_extmark(play.sample, namespace, row, col, style)
  end)
  local last = vim.api.nvim_buf_line_count(play.sample)
  if play.shown ~= nil then
    local row, col = answer.place(play.sample, play.result.shownTo, { 0, 0 }, encoding)
    local style = { end_row = last, hl_group = 'TtsrPending', priority = 250, strict = false }
    vim.api.nvim_buf_set_extmark(play.sample, namespace, row, col, style)
  end
  local window = vim.fn.bufwinid(play.sample)
  local info = window > 0 and vim.fn.getwininfo(window)[1] or { width = 80, textoff = 0 }
  local lines = {}
  for _, line in ipairs(facts(play, encoding)) do
    vim.list_extend(lines, wrap(line, math.max(info.width - info.textoff, 20)))
  end
  vim.api.nvim_buf_set_extmark(play.sample, namespace, last - 1, 0, { virt_lines = lines })
  if window > 0 then
    show_sample(window)
  end
end

---Tries the newest texts; while one request is under way, those in between are passed over.
---@param play ttsr.Playground
local function update(play)
  if play.is_busy then
    play.is_dirty = true
    return
  end
  local client = server.answering(play.rule)
  if client == nil then
    return server.say_why_none(play.rule)
  end
  play.is_busy, play.is_dirty = true, false
  local tick = vim.api.nvim_buf_get_changedtick(play.sample)
  local params = {
    text = text_of(play.sample),
    rule = { uri = vim.uri_from_bufnr(play.rule), text = text_of(play.rule) .. '\n' },
    kind = play.kind,
    chunk = play.chunk,
    shown = play.shown,
  }
  client:request('ttsr/testText', params, function(failure, result)
    play.is_busy = false
    if current ~= play or not vim.api.nvim_buf_is_valid(play.sample) then
      return
    elseif failure ~= nil then
      return message.say(failure.message)
    end
    if vim.api.nvim_buf_get_changedtick(play.sample) == tick then
      play.result, play.encoding = result, client.offset_encoding
      draw(play, play.encoding)
    end
    if play.is_dirty then
      update(play)
    end
  end)
end

---Streams the sample up to a delta: `step` on from the present one, or to the end or before the first.
---@param step integer|'end'|'start'
function M.step(step)
  if current == nil or current.result == nil then
    return message.say("open a playground first, with ':Ttsr playground'")
  end
  local deltas = current.result.deltas
  local shown = current.shown or deltas
  if step == 'end' then
    shown = deltas
  elseif step == 'start' then
    shown = 0
  else
    shown = math.max(0, math.min(deltas, shown + step))
  end
  current.shown = shown < deltas and shown or nil
  update(current)
end

---@param buf integer
local function follow(buf)
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI', 'TextChangedP' }, {
    group = group,
    buffer = buf,
    callback = function()
      if current ~= nil then
        update(current)
      end
    end,
  })
end

---@return integer
local function sample_buffer()
  local buf = vim.fn.bufnr('^' .. NAME .. '$')
  if buf > 0 then
    return buf
  end
  buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buf, NAME)
  for key, step in pairs({ [']d'] = 1, ['[d'] = -1, [']D'] = 'end', ['[D'] = 'start' }) do
    vim.keymap.set('n', key, function()
      M.step(type(step) == 'number' and step * vim.v.count1 or step)
    end, { buffer = buf, desc = 'Stream the sample' })
  end
  return buf
end

---Opens a playground for the rule in the current buffer.
---@param kind string? what the sample is; nil: a stream in the scope of the rule
---@param chunk string? how many characters a delta has, 16 by default
function M.open(kind, chunk)
  if kind == 'scope' then
    kind = nil
  elseif kind ~= nil and not vim.tbl_contains(KINDS, kind) then
    return message.say(("'%s' is no kind of text: scope, %s"):format(kind, table.concat(KINDS, ', ')))
  elseif chunk ~= nil and (tonumber(chunk) or 0) < 1 then
    return message.say(("'%s' is no size of a delta: give a number"):format(chunk))
  end
  local rule = vim.api.nvim_get_current_buf()
  local sample = sample_buffer()
  if rule == sample then
    rule = current and current.rule or rule
  end
  current = { rule = rule, sample = sample, kind = kind, chunk = math.floor(tonumber(chunk) or 16), is_busy = false, is_dirty = false }
  local window = vim.fn.bufwinid(sample)
  if window < 0 then
    window = windows.beside(sample)
  end
  vim.wo[window].statusline = '%#Title#Playground%*  ]d [d one delta  ]D [D all, none%<'
  vim.api.nvim_set_current_win(window)
  vim.api.nvim_clear_autocmds({ group = group })
  follow(rule)
  follow(sample)
  vim.api.nvim_create_autocmd('WinResized', {
    group = group,
    callback = function()
      if current ~= nil and current.result ~= nil and vim.api.nvim_buf_is_loaded(current.sample) then
        draw(current, current.encoding)
      end
    end,
  })
  update(current)
end

return M
