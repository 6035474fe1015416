-- The tree of sessions, turns, and triggers as lines of a buffer, with folds.
-- The server escapes all names and texts, and the plugin evaluates none of them.

local data = require('ttsr.run_data')
local message = require('ttsr.message')

local M = {}

-- The text of an empty tree. It fits into the eight lines that the window has on a screen of 80 by 24.
local NO_RUNS = {
  'No run to show. A run is shown here while its agent works in this folder, with',
  '  claude -p "…" --output-format stream-json --include-partial-messages \\',
  '    --verbose | ttsr-ls watch',
  "'ttsr-ls demo --editor' makes an example (':checkhealth ttsr' has the program).",
  "Cleared runs stay away; 'ttsr-ls sessions' lists their logs.",
}
-- Short forms of long outcomes.
local SHORT = {
  ['would have been interrupted'] = 'would interrupt',
  ['would have been reminded'] = 'would remind',
}
local namespace = vim.api.nvim_create_namespace('ttsr.runs')

---@class ttsr.Entry the session or trigger of a line of the tree
---@field client vim.lsp.Client
---@field session table
---@field trigger table?

---@param count integer
local function triggers_text(count)
  return count == 0 and 'no triggers' or message.counted(count, 'trigger')
end

---@param session table
---@return string
local function session_text(session)
  local clock = os.date('%H:%M', math.floor(session.started / 1000))
  local state = session.state == 'working' and 'at work' or session.state
  local parts = { session.agent, clock, triggers_text(session.triggers), state }
  if (session.uninspected or 0) > 0 then
    parts[#parts + 1] = ('%d not inspected'):format(session.uninspected)
  end
  return table.concat(parts, ' · ')
end

---@param trigger table
---@return string
local function trigger_text(trigger)
  local sign = trigger.silenced and '⚡ (silenced)' or '⚡'
  local outcome = type(trigger.outcome) == 'string' and (' · %s'):format(SHORT[trigger.outcome] or trigger.outcome) or ''
  return ('%s %s%s  %s — %s'):format(sign, trigger.rule, outcome, vim.trim(trigger.matched), trigger.surface)
end

---The lines of the tree, their highlight groups, and their entries.
---@param was_cleared boolean
---@return string[], string[], table<integer, ttsr.Entry>
local function build(was_cleared)
  local lines, groups, entries, last = {}, {}, {}, nil
  local function add(line, group, entry)
    lines[#lines + 1], groups[#groups + 1], entries[#lines + 1] = line, group, entry
  end
  for client, workspace, session in data.sessions() do
    if workspace ~= last then
      add(workspace.name, 'Directory')
      last = workspace
    end
    local working = session.state == 'working'
    local entry = { client = client, session = session }
    add(('  %s %s'):format(working and '▶' or '■', session_text(session)), working and 'Title' or 'Comment', entry)
    for number = #session.turns, 1, -1 do
      local turn = session.turns[number]
      local began = os.date('%H:%M', math.floor(turn.started / 1000))
      add(('    %s %s'):format(began, turn.title), working and 'Normal' or 'Comment', entry)
      for _, trigger in ipairs(turn.triggers) do
        local group = trigger.interrupts and 'DiagnosticWarn' or 'DiagnosticInfo'
        add(
          '      ' .. trigger_text(trigger),
          (not working or trigger.silenced) and 'Comment' or group,
          { client = client, session = session, trigger = trigger }
        )
      end
    end
  end
  if #lines == 0 then
    lines = vim.list_extend(was_cleared and { 'Finished runs were cleared.', '' } or {}, NO_RUNS)
  end
  return lines, groups, entries
end

---Rewrites the tree. Unchanged lines keep their folds and cursors.
---@param buf integer
---@param was_cleared boolean
---@return table<integer, ttsr.Entry> entries by line
function M.draw(buf, was_cleared)
  local lines, groups, entries = build(was_cleared)
  local old = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local head, tail = 0, 0
  while head < math.min(#old, #lines) and old[head + 1] == lines[head + 1] do
    head = head + 1
  end
  while tail < math.min(#old, #lines) - head and old[#old - tail] == lines[#lines - tail] do
    tail = tail + 1
  end
  if head + tail < math.max(#old, #lines) then
    vim.bo[buf].modifiable = true
    vim.api.nvim_buf_set_lines(buf, head, #old - tail, false, vim.list_slice(lines, head + 1, #lines - tail))
    vim.bo[buf].modifiable = false
  end
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  for number, group in ipairs(groups) do
    vim.api.nvim_buf_set_extmark(buf, namespace, number - 1, 0, { line_hl_group = group })
  end
  return entries
end

---The fold level of a line. The tree has workspaces, sessions, turns, and triggers.
---@param line integer
---@return string|integer
function M.fold_level(line)
  local text = vim.fn.getline(line)
  local depth = math.floor(#text:match('^ *') / 2)
  return depth == 3 and 3 or '>' .. (depth + 1)
end

---Sets the options of a window with the tree.
function M.set_window_options()
  -- Options of this window for this buffer only.
  local window = vim.wo[0][0]
  window.number, window.relativenumber, window.list = false, false, false
  -- Long lines wrap in narrow windows, indented below their beginning.
  window.wrap, window.linebreak, window.breakindent, window.breakindentopt = true, true, true, 'shift:4'
  window.foldmethod, window.foldexpr = 'expr', "v:lua.require'ttsr.run_tree'.fold_level(v:lnum)"
  window.foldlevel, window.foldtext, window.foldenable = 99, '', true
  window.statusline = '<CR> open  r rule  s silence  za fold  q close%<'
end

return M
