-- Runs of agents, live: a buffer with the tree, a buffer for each transcript, the quickfix list, and short messages.
-- All names and texts come escaped from the server; nothing of them is evaluated.

local M = {}

local NAME = 'ttsr_ls'
local TREE = 'ttsr-runs://'
local SCHEME = 'ttsr-transcript'
local MOMENT_MS = 400
local namespace = vim.api.nvim_create_namespace('ttsr.runs')

---@class ttsr.Entry what a line of the tree is about
---@field session table
---@field trigger table?

---@type table<integer, table[]> by client: the workspaces as the server last told
local told = {}
---@type table<integer, table<string, integer>> by client: the last trigger of each session that was announced
local announced = {}
---@type ttsr.Entry[] by line of the tree
local entries = {}
---@type table<integer, {client: integer, uri: string, lines: string[], part: table}> by buffer
local transcripts = {}
---@type integer?
local tree_buf

local function clients()
  return vim.lsp.get_clients({ name = NAME })
end

---@param message string
local function complain(message)
  vim.notify('TTSR: ' .. message, vim.log.levels.WARN)
end

---@param client vim.lsp.Client
---@param command string
---@param argument table?
---@param done fun(result: any)
local function execute(client, command, argument, done)
  local params = { command = command, arguments = argument and { argument } or nil }
  client:request('workspace/executeCommand', params, function(failure, result)
    if failure then
      complain(failure.message)
    else
      done(result)
    end
  end)
end

---@param buf integer
---@param first integer
---@param last integer
---@param lines string[]
local function set_lines(buf, first, last, lines)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, first, last, false, lines)
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
end

---@param count integer
local function triggers_text(count)
  return count == 0 and 'no triggers' or count == 1 and '1 trigger' or ('%d triggers'):format(count)
end

---@param line string
---@param group string
---@param highlights table[]
---@param lines string[]
local function add(lines, highlights, line, group)
  lines[#lines + 1] = line
  highlights[#highlights + 1] = { #lines - 1, group }
end

---Writes the tree anew.
local function draw_tree()
  local buf = tree_buf
  if buf == nil or not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  local lines, highlights = {}, {}
  entries = {}
  for _, client in ipairs(clients()) do
    for _, workspace in ipairs(told[client.id] or {}) do
      add(lines, highlights, workspace.name, 'Directory')
      for _, session in ipairs(workspace.sessions) do
        local working = session.state == 'working'
        local clock = os.date('%H:%M', math.floor(session.started / 1000))
        local state = working and 'at work' or session.state
        local line = ('  %s %s · %s · %s · %s'):format(
          working and '▶' or '■', session.agent, clock, triggers_text(session.triggers), state)
        add(lines, highlights, line, working and 'Title' or 'Comment')
        entries[#lines] = { client = client.id, session = session }
        for number = #session.turns, 1, -1 do
          local turn = session.turns[number]
          add(lines, highlights, '    ' .. turn.title, working and 'Normal' or 'Comment')
          entries[#lines] = { client = client.id, session = session }
          for _, trigger in ipairs(turn.triggers) do
            local faded = not working or trigger.silenced
            local text = ('      ⚡ %s  %s — %s%s'):format(
              trigger.rule, trigger.matched, trigger.surface, trigger.silenced and ' (silenced)' or '')
            add(lines, highlights, text, faded and 'Comment' or trigger.interrupts and 'DiagnosticWarn' or 'DiagnosticInfo')
            entries[#lines] = { client = client.id, session = session, trigger = trigger }
          end
        end
      end
    end
  end
  if #lines == 0 then
    lines = { 'No agent has run here yet. Follow one in a terminal, for example', '', '  claude -p "…" --output-format'
      .. ' stream-json --include-partial-messages --verbose | ttsr-ls watch' }
  end
  set_lines(buf, 0, -1, lines)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  for _, highlight in ipairs(highlights) do
    vim.api.nvim_buf_set_extmark(buf, namespace, highlight[1], 0, { line_hl_group = highlight[2] })
  end
end

---Underlines what rules fired on, and lists it as diagnostics of the transcript: with signs, `]d`, and a float.
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

---Gives a fold to each injection and result in the windows that show a transcript, closed at first.
---@param buf integer
local function fold_transcript(buf)
  local held = transcripts[buf]
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    vim.api.nvim_win_call(win, function()
      vim.wo.foldmethod = 'manual'
      for _, fold in ipairs(held.part.folds) do
        if not held.folded[fold[1]] and fold[2] < vim.api.nvim_buf_line_count(buf) then
          vim.cmd(('%d,%dfold'):format(fold[1] + 1, fold[2] + 1))
          held.folded[fold[1]] = true
        end
      end
    end)
  end
end

---Asks for what was added to a transcript.
---@param buf integer
---@param done fun()?
local function grow(buf, done)
  local held = transcripts[buf]
  local client = held and vim.lsp.get_client_by_id(held.client)
  if not client then
    return
  end
  local asked = { uri = held.uri, epoch = held.part and held.part.epoch or -1, first = held.part and held.part.stable or 0 }
  execute(client, 'ttsr.transcript', asked, function(part)
    if not vim.api.nvim_buf_is_loaded(buf) then
      return
    end
    local at_end = {}
    for _, win in ipairs(vim.fn.win_findbuf(buf)) do
      at_end[win] = vim.api.nvim_win_get_cursor(win)[1] >= vim.api.nvim_buf_line_count(buf)
    end
    if held.part == nil or held.part.epoch ~= part.epoch then
      held.folded = {}
    end
    held.lines = vim.list_extend(vim.list_slice(held.lines, 1, part.first), part.lines)
    held.part = part
    set_lines(buf, part.first, -1, part.lines)
    mark_transcript(buf)
    fold_transcript(buf)
    for win, follows in pairs(at_end) do
      if follows then
        vim.api.nvim_win_set_cursor(win, { #held.lines, 0 })
      end
    end
    if done then
      done()
    end
  end)
end

---@param triggers table[]
local function announce(triggers)
  local latest = triggers[#triggers]
  local text = latest.message
  if #triggers > 1 then
    text = ('TTSR: %d triggers, lastly %s'):format(#triggers, latest.message:gsub('^TTSR: ', ''))
  end
  -- One line that fits: a longer one would stop everything with "Press ENTER".
  local room = vim.o.columns - 15
  if vim.fn.strdisplaywidth(text) > room then
    text = vim.fn.strcharpart(text, 0, math.max(room - 1, 0)) .. '…'
  end
  vim.api.nvim_echo({ { text, 'WarningMsg' } }, true, {})
end

local waiting, is_due = {}, false

---@param client vim.lsp.Client
local function collect_news(client)
  local last = announced[client.id] or {}
  announced[client.id] = last
  for _, workspace in ipairs(told[client.id]) do
    for _, session in ipairs(workspace.sessions) do
      for _, turn in ipairs(session.turns) do
        for _, trigger in ipairs(turn.triggers) do
          if trigger.number > (last[session.id] or -1) then
            last[session.id] = trigger.number
            if trigger.live and not trigger.silenced then
              waiting[#waiting + 1] = trigger
            end
          end
        end
      end
    end
  end
  if #waiting == 0 or is_due then
    return
  end
  is_due = true
  vim.defer_fn(function()
    local triggers = waiting
    waiting, is_due = {}, false
    if vim.tbl_get(client.config, 'settings', 'ttsr', 'notifications') ~= 'off' then
      announce(triggers)
    end
    vim.api.nvim_exec_autocmds('User', { pattern = 'TtsrTriggered', data = { triggers = triggers } })
  end, MOMENT_MS)
end

---@param client vim.lsp.Client
---@param sessions string[]
local function refresh(client, sessions)
  execute(client, 'ttsr.runs', nil, function(tree)
    told[client.id] = tree.workspaces
    draw_tree()
    collect_news(client)
  end)
  for buf, held in pairs(transcripts) do
    if held.client == client.id and held.part and vim.tbl_contains(sessions, held.part.session) then
      grow(buf)
    end
  end
end

---The handler of `ttsr/runsChanged`.
function M.runs_changed(_, params, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if client then
    refresh(client, params.sessions)
  end
end

---Called when the server comes to be attached to a buffer.
---@param client vim.lsp.Client
function M.attached(client)
  if told[client.id] == nil then
    told[client.id] = {}
    refresh(client, {})
  end
end

---@return ttsr.Entry?
local function entry_here()
  return entries[vim.api.nvim_win_get_cursor(0)[1]]
end

---Shows the transcript of a session, at a trigger or at its end.
---@param uri string
---@param line integer? from 0
function M.open_transcript(uri, line)
  local buf = vim.fn.bufadd(uri)
  vim.api.nvim_win_set_buf(0, buf)
  vim.bo[buf].buflisted = true
  grow(buf, function()
    if vim.api.nvim_get_current_buf() ~= buf then
      return
    end
    local count = vim.api.nvim_buf_line_count(buf)
    vim.api.nvim_win_set_cursor(0, { line and math.min(line + 1, count) or count, 0 })
    vim.cmd('silent! normal! zv')
  end)
end

---@param edit string
local function open_entry(edit)
  local entry = entry_here()
  if entry == nil then
    return
  end
  vim.cmd(edit)
  M.open_transcript(entry.session.transcript, entry.trigger and entry.trigger.line or nil)
end

local function open_rule(entry)
  if entry and entry.trigger then
    -- Never by an Ex command: the name of a file could say more than a name.
    vim.cmd.split()
    vim.api.nvim_win_set_buf(0, vim.fn.bufadd(vim.uri_to_fname(entry.trigger.ruleUri)))
  end
end

local function toggle_silence(entry)
  local client = entry and entry.trigger and vim.lsp.get_client_by_id(entry.client)
  if client then
    local given = { session = entry.session.id, rule = entry.trigger.rule, silent = not entry.trigger.silenced }
    execute(client, 'ttsr.silence', given, function() end)
  end
end

---Shows the tree of runs in a window at the side.
function M.open()
  if #clients() == 0 then
    return complain("the server is not running; see ':checkhealth ttsr'")
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
    vim.cmd('topleft vertical 48split')
    vim.api.nvim_win_set_buf(0, buf)
    vim.wo.number, vim.wo.relativenumber, vim.wo.wrap, vim.wo.winfixwidth = false, false, false, true
    vim.wo.statusline = 'TTSR runs: <CR> transcript, r rule, s silence, q close'
  end
  local function map(key, run)
    vim.keymap.set('n', key, run, { buffer = buf, nowait = true, silent = true })
  end
  map('<CR>', function()
    open_entry('wincmd p')
  end)
  map('r', function()
    local entry = entry_here()
    vim.cmd('wincmd p')
    open_rule(entry)
  end)
  map('s', function()
    toggle_silence(entry_here())
  end)
  map('q', '<Cmd>close<CR>')
  draw_tree()
  for _, client in ipairs(clients()) do
    refresh(client, {})
  end
end

---Puts all triggers into the quickfix list: on the file that the agent wrote, else on the rule.
function M.quickfix()
  local items = {}
  for _, client in ipairs(clients()) do
    for _, workspace in ipairs(told[client.id] or {}) do
      for _, session in ipairs(workspace.sessions) do
        for _, turn in ipairs(session.turns) do
          for _, trigger in ipairs(turn.triggers) do
            local has_target = type(trigger.targetUri) == 'string'
            local line = has_target and type(trigger.targetLine) == 'number' and trigger.targetLine + 1 or 1
            items[#items + 1] = {
              filename = vim.uri_to_fname(has_target and trigger.targetUri or trigger.ruleUri),
              lnum = line, text = trigger.message, type = trigger.interrupts and 'W' or 'I',
            }
          end
        end
      end
    end
  end
  vim.fn.setqflist({}, ' ', { title = 'TTSR triggers', items = items })
  vim.cmd('botright copen')
end

---Fills the buffer of a transcript that is opened by its name, as links and `:edit` do.
---@param buf integer
function M.read_transcript(buf)
  vim.bo[buf].buftype, vim.bo[buf].swapfile, vim.bo[buf].bufhidden = 'nofile', false, 'hide'
  vim.bo[buf].filetype = SCHEME
  vim.bo[buf].modifiable = false
  local uri = vim.api.nvim_buf_get_name(buf)
  for _, client in ipairs(clients()) do
    for _, workspace in ipairs(told[client.id] or {}) do
      for _, session in ipairs(workspace.sessions) do
        if session.transcript == uri then
          transcripts[buf] = { client = client.id, encoding = client.offset_encoding, uri = uri, lines = {}, folded = {} }
          vim.keymap.set('n', '<CR>', function()
            M.open_rule_here(buf)
          end, { buffer = buf, desc = 'Open the rule of the trigger on this line' })
          return grow(buf)
        end
      end
    end
  end
  set_lines(buf, 0, -1, { 'This session is not shown any more; its log may still be there: ttsr-ls replay' })
end

---Opens the rule that fired on a line of a transcript.
---@param buf integer
function M.open_rule_here(buf)
  local held, line = transcripts[buf], vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, mark in ipairs(held and held.part and held.part.marks or {}) do
    if mark.line == line then
      for _, trigger in ipairs(held.part.triggers) do
        if trigger.number == mark.trigger then
          return open_rule({ trigger = trigger })
        end
      end
    end
  end
end

---@param buf integer
function M.forget(buf)
  transcripts[buf] = nil
end

---Forgets the sessions whose agent is not at work.
function M.clear()
  for _, client in ipairs(clients()) do
    execute(client, 'ttsr.clearRuns', nil, function() end)
  end
end

return M
