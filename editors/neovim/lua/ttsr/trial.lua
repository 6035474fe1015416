-- Tries rules on a text of a buffer: marks all matches, fills the quickfix list, and shows one result window.

local answer = require('ttsr.trial_answer')
local message = require('ttsr.message')
local quickfix = require('ttsr.quickfix')
local server = require('ttsr.server')
local result_window = require('ttsr.trial_result')
local why = require('ttsr.trial_why')

local M = {}

local namespace = vim.api.nvim_create_namespace('ttsr.trial')
local regions = vim.api.nvim_create_namespace('ttsr.trial.region')
local group = vim.api.nvim_create_augroup('ttsr.trial', {})

M.KINDS = { 'edit', 'write', 'text', 'thinking', 'bash', 'tool' }

---@class ttsr.Trial
---@field buf integer
---@field region integer? the extmark of the tested part; nil is the whole buffer
---@field kind string?
---@field tool string?
---@field opens boolean whether a window with the result is to be opened
---@field result table
---@field items table[]? the items of the quickfix list
---@field base integer[] row and column, from 0, at which the text begins

---@type ttsr.Trial?
local current
local remembered = {}
local runs = 0

for name, link in pairs({ TtsrFires = 'DiffText', TtsrSilent = 'DiffAdd', TtsrFiresSign = 'WarningMsg', TtsrNote = 'Comment' }) do
  vim.api.nvim_set_hl(0, name, { link = link, default = true })
end

---@param trial ttsr.Trial
---@param encoding string
local function mark(trial, encoding)
  local items = {}
  vim.api.nvim_buf_clear_namespace(trial.buf, namespace, 0, -1)
  answer.for_matches(trial.result, function(rule, match)
    local fires = rule.verdict == 'fires'
    local row, col = answer.place(trial.buf, match.range.start, trial.base, encoding)
    local end_row, end_col = answer.place(trial.buf, match.range['end'], trial.base, encoding)
    vim.api.nvim_buf_set_extmark(trial.buf, namespace, row, col, {
      end_row = end_row,
      end_col = end_col,
      hl_group = fires and 'TtsrFires' or 'TtsrSilent',
      priority = fires and 210 or 200,
      sign_text = fires and '!' or '·',
      sign_hl_group = fires and 'TtsrFiresSign' or 'TtsrNote',
      virt_text = { { ('  %s: %s'):format(fires and 'fires' or 'silent', (rule.name:gsub('%c', ' '))), 'TtsrNote' } },
      invalidate = true,
      undo_restore = false,
    })
    items[#items + 1] = {
      bufnr = trial.buf,
      lnum = row + 1,
      col = col + 1,
      end_lnum = end_row + 1,
      end_col = end_col + 1,
      type = fires and 'W' or 'I',
      text = answer.summary(rule, match),
      user_data = { lines = answer.explanation(rule, match) },
    }
  end)
  table.sort(items, function(a, b)
    return a.lnum < b.lnum or (a.lnum == b.lnum and a.col < b.col)
  end)
  trial.items = items
  -- Replaces the list of the last test, but no list of another command.
  quickfix.set('TTSR: ' .. trial.result.summary, items, 'ttsr', true)
end

---The region of a test as it is now, after edits; nil is the whole buffer.
---@param trial ttsr.Trial
---@return integer[]? row, column, end row, and end column in bytes, exclusive
local function region_of_trial(trial)
  if trial.region == nil then
    return nil
  end
  local place = vim.api.nvim_buf_get_extmark_by_id(trial.buf, regions, trial.region, { details = true })
  return { place[1], place[2], place[3].end_row, place[3].end_col }
end

---@param client vim.lsp.Client
---@param trial ttsr.Trial
local function request(client, trial)
  local last = vim.api.nvim_buf_line_count(trial.buf)
  local row, col, end_row, end_col = unpack(region_of_trial(trial) or { 0, 0, last, 0 })
  local lines
  if trial.region == nil or end_row >= last then
    lines = vim.api.nvim_buf_get_lines(trial.buf, row, -1, false)
    lines[1] = (lines[1] or ''):sub(col + 1)
    lines[#lines + 1] = ''
  else
    lines = vim.api.nvim_buf_get_text(trial.buf, row, col, end_row, end_col, {})
  end
  local before = (vim.api.nvim_buf_get_lines(trial.buf, row, row + 1, false)[1] or ''):sub(1, col)
  local tick = vim.api.nvim_buf_get_changedtick(trial.buf)
  runs = runs + 1
  local number = runs
  local params = {
    text = table.concat(lines, '\n'),
    textDocument = { uri = vim.uri_from_bufnr(trial.buf) },
    start = { line = row, character = vim.fn.strchars(before) },
    kind = trial.kind,
    tool = trial.tool,
  }
  client:request('ttsr/testText', params, function(failure, result)
    if trial ~= current or number ~= runs or not vim.api.nvim_buf_is_valid(trial.buf) then
      return
    elseif failure ~= nil then
      return message.say(failure.message)
    elseif vim.api.nvim_buf_get_changedtick(trial.buf) ~= tick then
      return
    end
    trial.result, trial.base = result, { row, col }
    mark(trial, client.offset_encoding)
    result_window.show(trial, trial.opens)
    trial.opens = false
  end)
end

---@param trial ttsr.Trial
local function run(trial)
  server.with_client(trial.buf, function(client)
    if trial == current and vim.api.nvim_buf_is_valid(trial.buf) then
      request(client, trial)
    end
  end)
end

---@param buf integer
local function follow(buf)
  vim.api.nvim_clear_autocmds({ group = group })
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI', 'InsertLeave' }, {
    group = group,
    buffer = buf,
    callback = function()
      if current ~= nil then
        run(current)
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', { group = group, buffer = buf, callback = M.clear })
end

---Tries the rules on a part of the current buffer, rows and columns from 0, or on all of it.
---@param kind string? the kind of text; nil: as the last time for such a file, else as the server takes it
---@param tool string?
---@param region integer[]? row, column, end row, and end column in bytes, exclusive
function M.test(kind, tool, region)
  if kind ~= nil and not vim.tbl_contains(M.KINDS, kind) then
    return message.say(("'%s' is no kind of text: %s"):format(kind, table.concat(M.KINDS, ', ')))
  elseif kind == 'tool' and tool == nil then
    return message.say("name the tool: ':TtsrTest tool NAME'")
  end
  -- Closed first, so that a command in the float tests the text that the float explains.
  why.close()
  local buf = vim.api.nvim_get_current_buf()
  local is_result = current ~= nil and result_window.is_shown_in(buf)
  if is_result then
    -- In the result window, the same text is tested again.
    buf, region = current.buf, region_of_trial(current)
  end
  M.clear()
  local filetype = vim.bo[buf].filetype
  if kind ~= nil then
    remembered[filetype] = { kind, tool }
  elseif remembered[filetype] ~= nil then
    kind, tool = unpack(remembered[filetype])
  end
  local id
  if region ~= nil then
    id = vim.api.nvim_buf_set_extmark(buf, regions, region[1], region[2], {
      end_row = region[3],
      end_col = region[4],
      right_gravity = false,
      end_right_gravity = true,
      strict = false,
    })
  end
  current = { buf = buf, kind = kind, tool = tool, region = id, opens = true, result = {}, base = { 0, 0 } }
  follow(buf)
  run(current)
end

---The region of a command's range: all of its lines, or the part of them that is selected by characters.
---@param command vim.api.keyset.create_user_command.command_args
---@return integer[]? nil where the command has no range
function M.region_of(command)
  if command.range == 0 then
    return nil
  end
  local from, to = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  if vim.fn.visualmode() == 'v' and from[2] == command.line1 and to[2] == command.line2 and command.range == 2 then
    local line = vim.api.nvim_buf_get_lines(0, to[2] - 1, to[2], false)[1] or ''
    local last = to[3] > #line and #line or to[3] + vim.str_utf_end(line, to[3])
    return { from[2] - 1, from[3] - 1, to[2] - 1, last }
  end
  return { command.line1 - 1, 0, command.line2, 0 }
end

---Asks which kind of text it is, and tries the rules.
---@param region integer[]?
function M.ask(region)
  vim.ui.select(M.KINDS, { prompt = 'TTSR: Which kind of text is it?' }, function(kind)
    if kind == 'tool' then
      vim.ui.input({ prompt = 'TTSR: Which tool? ' }, function(tool)
        if tool ~= nil and tool ~= '' then
          M.test(kind, tool, region)
        end
      end)
    elseif kind ~= nil then
      M.test(kind, nil, region)
    end
  end)
end

---Removes the marks.
function M.clear()
  why.close()
  vim.api.nvim_clear_autocmds({ group = group })
  if current ~= nil and vim.api.nvim_buf_is_valid(current.buf) then
    vim.api.nvim_buf_clear_namespace(current.buf, namespace, 0, -1)
    vim.api.nvim_buf_clear_namespace(current.buf, regions, 0, -1)
  end
  current = nil
end

---Removes the marks, and closes the window with the result.
function M.close()
  local was_shown = result_window.close()
  if current == nil and not was_shown then
    return message.say('there is no test to clear', vim.log.levels.INFO)
  end
  M.clear()
end

---Explains in a float which rule matches at the cursor or next to it, and why it fires or does not.
function M.why()
  local is_tried = current ~= nil and current.buf == vim.api.nvim_get_current_buf()
  why.show(is_tried and current.items or nil)
end

return M
