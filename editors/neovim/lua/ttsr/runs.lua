-- `:Ttsr runs`: the tree of sessions, turns, and triggers, and the quickfix list of triggers.
-- All names and texts come escaped from the server; nothing of them is evaluated.

local data = require('ttsr.run_data')
local message = require('ttsr.message')
local quickfix = require('ttsr.quickfix')
local transcript = require('ttsr.transcript')
local windows = require('ttsr.windows')

local M = {}

local TREE = 'ttsr-runs://'
-- What is shown where there is nothing else. Short lines: the window is narrow.
local NO_RUNS = {
  'No run to show.',
  '',
  'The next one shows here while its agent',
  'works in this folder, and is followed:',
  '',
  '  claude -p "…" --output-format stream-json \\',
  '    --include-partial-messages --verbose \\',
  '    | ttsr-ls watch',
  '',
  "'ttsr-ls demo --editor' makes an example.",
  "No such program? ':checkhealth ttsr'",
  'says where the server is.',
  '',
  'Cleared runs stay away; their logs do not:',
  "'ttsr-ls sessions' lists them.",
}
local namespace = vim.api.nvim_create_namespace('ttsr.runs')

---@class ttsr.Entry what a line of the tree is about
---@field client vim.lsp.Client
---@field session table
---@field trigger table?

---@type ttsr.Entry[] by line of the tree
local entries = {}
---@type integer?
local tree_buf
local was_cleared = false

---@param count integer
local function triggers_text(count)
  return count == 0 and 'no triggers' or count == 1 and '1 trigger' or ('%d triggers'):format(count)
end

---Writes the tree anew.
local function draw()
  local buf = tree_buf
  if buf == nil or not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  local lines, highlights, last = {}, {}, nil
  entries = {}
  local function add(line, group, entry)
    lines[#lines + 1] = line
    highlights[#highlights + 1] = { #lines - 1, group }
    entries[#lines] = entry
  end
  for client, workspace, session in data.sessions() do
    if workspace ~= last then
      add(workspace.name, 'Directory')
      last = workspace
    end
    local working = session.state == 'working'
    local clock = os.date('%H:%M', math.floor(session.started / 1000))
    local state = working and 'at work' or session.state
    local parts = { session.agent, clock, triggers_text(session.triggers), state }
    if (session.uninspected or 0) > 0 then
      parts[#parts + 1] = ('%d not inspected'):format(session.uninspected)
    end
    local entry = { client = client, session = session }
    add(('  %s %s'):format(working and '▶' or '■', table.concat(parts, ' · ')), working and 'Title' or 'Comment', entry)
    for number = #session.turns, 1, -1 do
      local turn = session.turns[number]
      local began = os.date('%H:%M', math.floor(turn.started / 1000))
      add(('    %s %s'):format(began, turn.title), working and 'Normal' or 'Comment', entry)
      for _, trigger in ipairs(turn.triggers) do
        local group = trigger.interrupts and 'DiagnosticWarn' or 'DiagnosticInfo'
        -- In front, where no narrow window cuts it.
        local sign = trigger.silenced and '⚡ (silenced)' or '⚡'
        local outcome = type(trigger.outcome) == 'string' and (' · %s'):format(trigger.outcome) or ''
        add(
          ('      %s %s%s  %s — %s'):format(sign, trigger.rule, outcome, vim.trim(trigger.matched), trigger.surface),
          (not working or trigger.silenced) and 'Comment' or group,
          { client = client, session = session, trigger = trigger }
        )
      end
    end
  end
  if #lines == 0 then
    lines = vim.list_extend(was_cleared and { 'Finished runs were cleared.', '' } or {}, NO_RUNS)
  end
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  for _, highlight in ipairs(highlights) do
    vim.api.nvim_buf_set_extmark(buf, namespace, highlight[1], 0, { line_hl_group = highlight[2] })
  end
end

table.insert(data.listeners, draw)

---@return ttsr.Entry?
local function entry_here()
  return entries[vim.api.nvim_win_get_cursor(0)[1]]
end

local function open_entry()
  local entry = entry_here()
  if entry == nil then
    return
  end
  windows.go_to_ordinary()
  transcript.open(entry.session.transcript, entry.trigger and entry.trigger.line or nil)
end

local function toggle_silence(entry)
  if entry and entry.trigger then
    local given = { session = entry.session.id, rule = entry.trigger.rule, silent = not entry.trigger.silenced }
    data.execute(entry.client, 'ttsr.silence', given, function()
      local outcome = given.silent and "no more messages about '%s' in this session; 's' undoes it" or "messages about '%s' again"
      message.say(outcome:format(given.rule), vim.log.levels.INFO)
    end)
  else
    message.say("put the cursor on a trigger (⚡) first", vim.log.levels.INFO)
  end
end

---Has the window of runs keep its buffer while there are others: else `<CR>` in a quickfix list would open files in it.
local function keep_buffer()
  for _, window in ipairs(vim.fn.win_findbuf(tree_buf or -1)) do
    local count = #vim.api.nvim_tabpage_list_wins(vim.api.nvim_win_get_tabpage(window))
    vim.wo[window][0].winfixbuf = count > 1
  end
end

vim.api.nvim_create_autocmd({ 'WinResized', 'WinEnter' }, {
  group = vim.api.nvim_create_augroup('ttsr.runs', {}),
  -- Later: a window that `:new` opens has the buffer of the one beside it at first.
  callback = vim.schedule_wrap(keep_buffer),
})

---Shows the tree of runs in a window at the side.
function M.open()
  if not data.is_answering() then
    return
  end
  local buf = vim.fn.bufadd(TREE)
  tree_buf = buf
  vim.fn.bufload(buf)
  vim.bo[buf].buftype, vim.bo[buf].swapfile, vim.bo[buf].buflisted = 'nofile', false, false
  vim.bo[buf].filetype = 'ttsr-runs'
  vim.bo[buf].modifiable = false
  local win = vim.fn.win_findbuf(buf)[1]
  if win then
    vim.api.nvim_set_current_win(win)
  else
    windows.at_side(buf, 48)
    -- Of this buffer in this window alone.
    local window = vim.wo[0][0]
    window.number, window.relativenumber, window.wrap = false, false, false
    -- What the window is too narrow for is marked.
    window.list, window.listchars = true, 'extends:…,precedes:…'
    window.statusline = '<CR> open  r rule  s silence  q close%<'
    keep_buffer()
  end
  local function map(key, run)
    vim.keymap.set('n', key, run, { buffer = buf, nowait = true, silent = true })
  end
  map('<CR>', open_entry)
  map('r', function()
    local entry = entry_here()
    if entry and entry.trigger then
      windows.go_to_ordinary()
      transcript.open_rule(entry.trigger)
    end
  end)
  map('s', function()
    toggle_silence(entry_here())
  end)
  map('q', function()
    if #vim.api.nvim_tabpage_list_wins(0) > 1 then
      return vim.cmd.close()
    end
    vim.cmd.enew()
  end)
  draw()
  for _, client in ipairs(data.clients()) do
    data.refresh(client, {})
  end
end

---Where a trigger leads to: the line that the agent wrote, else its line in the transcript, else the rule. A call that
---was denied has written no file.
---@param session table
---@param trigger table
---@return table part of an item of the quickfix list
local function place_of(session, trigger)
  local target = type(trigger.targetUri) == 'string' and vim.uri_to_fname(trigger.targetUri)
  if target and type(trigger.targetLine) == 'number' and vim.uv.fs_stat(target) ~= nil then
    return { filename = target, lnum = trigger.targetLine + 1 }
  elseif type(trigger.line) == 'number' then
    local buf = transcript.buffer(session.transcript)
    -- Before the list is made: Neovim moves its entries when lines are added to a buffer.
    vim.fn.bufload(buf)
    local clock = os.date('%H:%M', math.floor(session.started / 1000))
    return { bufnr = buf, lnum = trigger.line + 1, module = ('transcript of %s, %s'):format(session.agent, clock) }
  end
  return { filename = vim.uri_to_fname(trigger.ruleUri) }
end

---Puts all triggers into the quickfix list.
function M.quickfix()
  if not data.is_answering() then
    return
  end
  local items = {}
  for _, _, session in data.sessions() do
    for _, turn in ipairs(session.turns) do
      for _, trigger in ipairs(turn.triggers) do
        items[#items + 1] = vim.tbl_extend('error', place_of(session, trigger), {
          text = trigger.message,
          type = trigger.interrupts and 'W' or 'I',
        })
      end
    end
  end
  if #items == 0 then
    return message.say('no rule has fired in the displayed runs', vim.log.levels.INFO)
  end
  quickfix.set('TTSR triggers', items, 'ttsr.triggers')
  quickfix.open()
end

---Forgets the sessions whose agent is not at work.
function M.clear()
  if not data.is_answering() then
    return
  end
  for _, client in ipairs(data.clients()) do
    data.execute(client, 'ttsr.clearRuns', nil, function()
      was_cleared = true
      draw()
      message.say('finished runs are cleared', vim.log.levels.INFO)
    end)
  end
end

return M
