-- Transcripts: a buffer for each session, which grows while the agent speaks.
-- The server escapes all texts, and the plugin evaluates none of them.

local data = require('ttsr.run_data')
local replace_lines = require('ttsr.replace_lines')
local windows = require('ttsr.windows')

local M = {}

local namespace = vim.api.nvim_create_namespace('ttsr.transcripts')

---@class ttsr.Transcript
---@field client integer
---@field encoding string
---@field uri string
---@field lines string[]
---@field part table?
---@field followed table<integer, integer[]> the cursor of each window that was moved to the end

---@type table<integer, ttsr.Transcript>
local transcripts = {}

---Underlines the texts on which rules fired, and sets diagnostics for them, which have signs, `]d`, and a float.
---@param buf integer
local function mark_transcript(buf)
  local held = transcripts[buf]
  local by_number, diagnostics = {}, {}
  for _, trigger in ipairs(held.part.triggers) do
    by_number[trigger.number] = trigger
  end
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  for _, mark in ipairs(held.part.marks) do
    local trigger, line = by_number[mark.trigger], held.lines[mark.line + 1]
    if trigger and line then
      local from = math.min(vim.str_byteindex(line, held.encoding, mark.start, false), #line)
      local to = math.min(vim.str_byteindex(line, held.encoding, mark['end'], false), #line)
      local group = mark.start > 0 and 'DiagnosticUnderlineWarn' or 'DiagnosticWarn'
      vim.api.nvim_buf_set_extmark(buf, namespace, mark.line, from, { end_col = to, hl_group = group })
      if mark.start > 0 then
        diagnostics[#diagnostics + 1] = {
          lnum = mark.line, col = from, end_lnum = mark.line, end_col = to, source = 'ttsr', message = trigger.message,
          severity = trigger.interrupts and vim.diagnostic.severity.WARN or vim.diagnostic.severity.INFO,
        }
      end
    end
  end
  vim.diagnostic.set(namespace, buf, diagnostics, { virtual_text = false })
end

---Folds each injection and result in the windows that show a transcript. The folds are closed at first.
---@param buf integer
local function fold_transcript(buf)
  local held = transcripts[buf]
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    vim.api.nvim_win_call(win, function()
      vim.wo.foldmethod = 'manual'
      for _, fold in ipairs(held.part.folds) do
        if fold[2] < vim.api.nvim_buf_line_count(buf) and vim.fn.foldlevel(fold[1] + 1) == 0 then
          vim.cmd(('%d,%dfold'):format(fold[1] + 1, fold[2] + 1))
        end
      end
    end)
  end
end

---Whether a window shows the end of its transcript as the session goes on: its cursor is on the last line, and not at a
---trigger to which the user went.
---@param buf integer
---@param win integer
---@return boolean
local function follows_end(buf, win)
  local held, cursor = transcripts[buf], vim.api.nvim_win_get_cursor(win)
  if cursor[1] < vim.api.nvim_buf_line_count(buf) then
    return false
  end
  if vim.deep_equal(cursor, held.followed[win]) then
    return true
  end
  return not vim.iter(held.part and held.part.marks or {}):any(function(mark)
    return mark.line == cursor[1] - 1
  end)
end

---Moves a window to the end of its transcript.
---@param buf integer
---@param win integer
local function go_to_end(buf, win)
  vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(buf), 0 })
  transcripts[buf].followed[win] = vim.api.nvim_win_get_cursor(win)
end

---Shows a received part of a transcript.
---@param buf integer
---@param part table
local function show_part(buf, part)
  local held = transcripts[buf]
  if held == nil or not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  local at_end = {}
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    at_end[win] = follows_end(buf, win)
  end
  held.lines = vim.list_extend(vim.list_slice(held.lines, 1, part.first), part.lines)
  held.part = part
  replace_lines.from(buf, part.first, part.lines)
  mark_transcript(buf)
  fold_transcript(buf)
  for win, follows in pairs(at_end) do
    if follows then
      go_to_end(buf, win)
    end
  end
end

---Requests the text that was added to a transcript.
---@param buf integer
---@param done fun()?
local function grow(buf, done)
  local held = transcripts[buf]
  local client = held and vim.lsp.get_client_by_id(held.client)
  if not client then
    return
  end
  local asked = { uri = held.uri, epoch = held.part and held.part.epoch or -1, first = held.part and held.part.stable or 0 }
  data.execute(client, 'ttsr.transcript', asked, function(part)
    show_part(buf, part)
    if done then
      done()
    end
  end)
end

---Extends the transcripts of sessions that changed.
table.insert(data.listeners, function(client, sessions)
  for buf, held in pairs(transcripts) do
    -- A server that was started again reads the log of the session anew.
    local is_gone = vim.lsp.get_client_by_id(held.client) == nil
    if held.part and (is_gone or held.client == client.id) and vim.tbl_contains(sessions, held.part.session) then
      if is_gone then
        held.client, held.part.epoch = client.id, -1
      end
      grow(buf)
    end
  end
end)

---The buffer of a transcript, which need not be loaded.
---@param uri string
---@return integer
function M.buffer(uri)
  local buf = vim.fn.bufadd(uri)
  vim.bo[buf].buflisted = true
  return buf
end

---The line of a trigger in a transcript as last received. An unfinished answer changes lines until it is on record, so
---the line that the tree of runs names may be that of an earlier state.
---@param buf integer
---@param trigger table
---@return integer? from 0
local function line_of(buf, trigger)
  local held = transcripts[buf]
  for _, mark in ipairs(held and held.part and held.part.marks or {}) do
    if mark.trigger == trigger.number and mark.start > 0 then
      return mark.line
    end
  end
  return type(trigger.line) == 'number' and trigger.line or nil
end

---Shows the transcript of a session, at a trigger or at its end.
---@param uri string
---@param trigger table?
function M.open(uri, trigger)
  local buf = M.buffer(uri)
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_buf(0, buf)
  local placed
  local function go()
    local count = vim.api.nvim_buf_line_count(buf)
    local line = trigger and line_of(buf, trigger)
    placed = line and math.min(line + 1, count) or count
    vim.api.nvim_win_set_cursor(0, { placed, 0 })
    transcripts[buf].followed[vim.api.nvim_get_current_win()] = not line and { placed, 0 } or nil
    vim.cmd('silent! normal! zv')
  end
  -- A trigger that is loaded already is shown at once.
  if trigger and (line_of(buf, trigger) or math.huge) < vim.api.nvim_buf_line_count(buf) then
    go()
  end
  grow(buf, function()
    local is_unmoved = placed == nil or vim.api.nvim_win_get_cursor(0)[1] == placed
    if vim.api.nvim_get_current_buf() == buf and is_unmoved then
      go()
    end
  end)
end

---Opens the rule of a trigger: in the window that has it, else in a new one.
---@param trigger table
function M.open_rule(trigger)
  -- Not by an Ex command, which would interpret special characters in the name.
  local buf = vim.fn.bufadd(vim.uri_to_fname(trigger.ruleUri))
  vim.bo[buf].buflisted = true
  local window = vim.fn.bufwinid(buf)
  if window < 0 then
    windows.below(buf, true)
  else
    vim.api.nvim_set_current_win(window)
  end
end

---Closes a transcript in the current window: the window shows its former file again, or is closed.
---@param buf integer
local function close(buf)
  local before = vim.fn.bufnr('#')
  if before > 0 and before ~= buf and vim.bo[before].buftype == '' then
    vim.api.nvim_win_set_buf(0, before)
  elseif not pcall(vim.api.nvim_win_close, 0, false) then
    -- The only window cannot be closed, and gets an empty buffer.
    vim.api.nvim_win_set_buf(0, vim.api.nvim_create_buf(true, false))
  end
end

---Fills the buffer of a transcript that is opened by its name, as links and `:edit` do.
---@param buf integer
function M.read(buf)
  vim.bo[buf].buftype, vim.bo[buf].swapfile, vim.bo[buf].bufhidden = 'nofile', false, 'hide'
  vim.bo[buf].filetype = 'ttsr-transcript'
  vim.bo[buf].modifiable = false
  local uri = vim.api.nvim_buf_get_name(buf)
  for client, _, session in data.sessions() do
    if session.transcript == uri then
      local clock = os.date('%H:%M', math.floor(session.started / 1000))
      vim.b[buf].ttsr_title = ('Transcript of %s, %s'):format(session.agent, clock)
      transcripts[buf] = { client = client.id, encoding = client.offset_encoding, uri = uri, lines = {}, followed = {} }
      vim.keymap.set('n', '<CR>', function()
        M.open_rule_here(buf)
      end, { buffer = buf, desc = 'Open the rule of the trigger on this line' })
      vim.keymap.set('n', 'q', function()
        close(buf)
      end, { buffer = buf, desc = 'Close the transcript' })
      -- Requested synchronously, because the quickfix list moves the cursor to a line right after it opened the buffer.
      local params = { command = 'ttsr.transcript', arguments = { { uri = uri, epoch = -1, first = 0 } } }
      local answer = client:request_sync('workspace/executeCommand', params, 100)
      if answer ~= nil and answer.result ~= nil then
        show_part(buf, answer.result)
      else
        -- The text of a busy server is added later.
        grow(buf)
      end
      return
    end
  end
  replace_lines.from(buf, 0, { 'This session is not shown any more; its log may still be there: ttsr-ls replay' })
end

---Opens the rule that fired on a line of a transcript.
---@param buf integer
function M.open_rule_here(buf)
  local held, line = transcripts[buf], vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, mark in ipairs(held and held.part and held.part.marks or {}) do
    if mark.line == line then
      for _, trigger in ipairs(held.part.triggers) do
        if trigger.number == mark.trigger then
          return M.open_rule(trigger)
        end
      end
    end
  end
end

---Names a transcript in the status line of the current window, as its URI is long.
---@param buf integer
function M.entered(buf)
  windows.wrap(0)
  -- The title is inserted by a variable, so that Neovim does not evaluate the name of the agent.
  if vim.b[buf].ttsr_title ~= nil then
    vim.wo[0][0].statusline = '%{b:ttsr_title}  <CR> rule  ]d next trigger  q close%<'
  end
end

---@param buf integer
function M.forget(buf)
  transcripts[buf] = nil
end

return M
