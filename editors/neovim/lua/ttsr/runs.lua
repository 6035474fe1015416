-- `:Ttsr runs`: the tree of sessions, turns, and triggers, and the quickfix list of triggers.
-- The server escapes all names and texts, and the plugin evaluates none of them.

local data = require('ttsr.run_data')
local message = require('ttsr.message')
local quickfix = require('ttsr.quickfix')
local tree = require('ttsr.run_tree')
local transcript = require('ttsr.transcript')
local windows = require('ttsr.windows')

local M = {}

local TREE = 'ttsr-runs://'
---@type ttsr.Entry[] by line of the tree
local entries = {}
---@type integer?
local tree_buf
local was_cleared = false
---@type string? the newest trigger in the tree
local newest

---@param entry ttsr.Entry?
---@return string?
local function identity_of(entry)
  return entry and entry.trigger and ('%s %d'):format(entry.session.id, entry.trigger.number)
end

---The line of the trigger that fired last.
---@return integer?
local function newest_line()
  local found
  for line, entry in pairs(entries) do
    local one, other = entry.trigger, found and entries[found].trigger
    if one ~= nil and (other == nil or one.time > other.time or (one.time == other.time and one.number > other.number)) then
      found = line
    end
  end
  return found
end

---Writes the tree anew. A window follows the newest trigger, unless its cursor was moved to another line in it.
local function draw()
  if tree_buf == nil or not vim.api.nvim_buf_is_loaded(tree_buf) then
    return
  end
  local here = vim.api.nvim_get_current_win()
  local following = vim.tbl_filter(function(window)
    local entry = entries[vim.api.nvim_win_get_cursor(window)[1]]
    return window ~= here or newest == nil or identity_of(entry) == newest
  end, vim.fn.win_findbuf(tree_buf))
  entries = tree.draw(tree_buf, was_cleared)
  local line = newest_line()
  local former = newest
  newest = line and identity_of(entries[line])
  if line ~= nil and newest ~= former then
    for _, window in ipairs(following) do
      vim.api.nvim_win_set_cursor(window, { line, 0 })
    end
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
  transcript.open(entry.session.transcript, entry.trigger)
end

local function toggle_silence(entry)
  if entry and entry.trigger then
    local rule = entry.trigger
    local given = { session = entry.session.id, rule = rule.rule, ruleUri = rule.ruleUri, silent = not rule.silenced }
    data.execute(entry.client, 'ttsr.silence', given, function()
      local outcome = given.silent and "'%s' is silenced; 's' undoes it" or "messages about '%s' again"
      message.say(outcome:format(given.rule), vim.log.levels.INFO)
    end)
  else
    message.say("put the cursor on a trigger (⚡) first", vim.log.levels.INFO)
  end
end

---Fixes the buffer of the window of runs while the tab has other windows: else `<CR>` in a quickfix list would open files in it.
local function keep_buffer()
  for _, window in ipairs(vim.fn.win_findbuf(tree_buf or -1)) do
    local count = #vim.api.nvim_tabpage_list_wins(vim.api.nvim_win_get_tabpage(window))
    vim.wo[window][0].winfixbuf = count > 1
  end
end

vim.api.nvim_create_autocmd({ 'WinResized', 'WinEnter' }, {
  group = vim.api.nvim_create_augroup('ttsr.runs', {}),
  -- Scheduled, because a window that `:new` opens first shows the buffer of its neighbour.
  callback = vim.schedule_wrap(keep_buffer),
})

---Shows the tree of runs in a window at the side.
local function show()
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
    tree.set_window_options()
    keep_buffer()
    -- Moves the cursor to the newest trigger at the first draw.
    newest = nil
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

---Shows the tree of runs as soon as a server answers.
function M.open()
  data.when_known(show)
end

---The place of a trigger: the line that the agent wrote, else its line in the transcript, else the rule. A denied call
---has written no file.
---@param session table
---@param trigger table
---@return table part of an item of the quickfix list
local function place_of(session, trigger)
  local target = type(trigger.targetUri) == 'string' and vim.uri_to_fname(trigger.targetUri)
  if target and type(trigger.targetLine) == 'number' and vim.uv.fs_stat(target) ~= nil then
    return { filename = target, lnum = trigger.targetLine + 1 }
  elseif type(trigger.line) == 'number' then
    local buf = transcript.buffer(session.transcript)
    -- Loaded before the list is set, because Neovim moves entries of a list when lines are added to their buffer.
    vim.fn.bufload(buf)
    local clock = os.date('%H:%M', math.floor(session.started / 1000))
    return { bufnr = buf, lnum = trigger.line + 1, module = ('transcript of %s, %s'):format(session.agent, clock) }
  end
  return { filename = vim.uri_to_fname(trigger.ruleUri) }
end

local function list_triggers()
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

---Puts all triggers into the quickfix list.
function M.quickfix()
  data.when_known(list_triggers)
end

local function go_to_latest()
  local latest, of
  for _, _, session in data.sessions() do
    for _, turn in ipairs(session.turns) do
      for _, trigger in ipairs(turn.triggers) do
        -- Trigger numbers can be compared only within one session.
        local is_later = latest == nil or turn.started > of.started or (turn == of.turn and trigger.number > latest.number)
        if is_later then
          latest, of = trigger, { session = session, turn = turn, started = turn.started }
        end
      end
    end
  end
  if latest == nil then
    return message.say('no rule has fired in the displayed runs', vim.log.levels.INFO)
  end
  windows.go_to_ordinary()
  local place = place_of(of.session, latest)
  local buf = place.bufnr or vim.fn.bufadd(place.filename)
  vim.bo[buf].buflisted = true
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_buf(0, buf)
  if place.lnum ~= nil then
    vim.api.nvim_win_set_cursor(0, { math.min(place.lnum, vim.api.nvim_buf_line_count(buf)), 0 })
    vim.cmd('silent! normal! zv')
  end
  message.show(latest.message, vim.log.levels.INFO)
end

---Goes to the text on which a rule fired last: in the file, else in the transcript, else to the rule.
function M.latest()
  data.when_known(go_to_latest)
end

local function clear_finished()
  local finished, working = 0, 0
  for _, _, session in data.sessions() do
    if session.state == 'working' then
      working = working + 1
    else
      finished = finished + 1
    end
  end
  for number, client in ipairs(data.clients()) do
    data.execute(client, 'ttsr.clearRuns', nil, function()
      was_cleared = true
      draw()
      if number == 1 then
        local rest = working == 0 and 'none is at work' or ('%d at work stay'):format(working)
        message.say(('finished runs are cleared: %d; %s'):format(finished, rest), vim.log.levels.INFO)
      end
    end)
  end
end

---Forgets the sessions whose agent is not at work.
function M.clear()
  data.when_known(clear_finished)
end

return M
