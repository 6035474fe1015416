-- The playground: a rule in one window, and a sample beside it that is tried again with each change of either.
--
-- In the sample, `]d` and `[d` stream one delta on or back, `]D` and `[D` go to the end and before the first.

local answer = require('ttsr.trial_answer')
local facts = require('ttsr.playground_facts')
local message = require('ttsr.message')
local rule_folders = require('ttsr.rule_folders')
local server = require('ttsr.server')
local windows = require('ttsr.windows')

local M = {}

local namespace = vim.api.nvim_create_namespace('ttsr.playground')
local group = vim.api.nvim_create_augroup('ttsr.playground', {})
local NAME = 'ttsr://sample'
local KINDS = require('ttsr.trial').KINDS

---@class ttsr.Playground
---@field rule integer buffer of the rule
---@field sample integer buffer of the sample
---@field kind string? what the sample is; nil is a stream in the scope of the rule
---@field tool string? of the kind `tool`
---@field chunk integer how many characters a delta has
---@field shown integer? the number of received deltas; nil is all
---@field result table?
---@field encoding string? of the places in the result
---@field is_busy boolean
---@field is_dirty boolean

---@type ttsr.Playground?
local current

vim.api.nvim_set_hl(0, 'TtsrPending', { link = 'NonText', default = true })

---@param buf integer
---@return string
local function text_of(buf)
  return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
end

---Scrolls back to the text above the cursor. A new line that is typed is below the lines with the result for a moment,
---and Neovim scrolls the text away.
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
    local style = { end_row = end_row, end_col = end_col, hl_group = facts.color(match.condition) }
    vim.api.nvim_buf_set_extmark(play.sample, namespace, row, col, style)
  end)
  local last = vim.api.nvim_buf_line_count(play.sample)
  if last == 1 and vim.api.nvim_buf_get_lines(play.sample, 0, 1, false)[1] == '' then
    local hint = { { 'Type or paste a text to try the rule on.', 'Comment' } }
    vim.api.nvim_buf_set_extmark(play.sample, namespace, 0, 0, { virt_text = hint, virt_text_pos = 'overlay' })
  end
  if play.shown ~= nil then
    local row, col = answer.place(play.sample, play.result.shownTo, { 0, 0 }, encoding)
    local style = { end_row = last, hl_group = 'TtsrPending', priority = 250, strict = false }
    vim.api.nvim_buf_set_extmark(play.sample, namespace, row, col, style)
  end
  local window = vim.fn.bufwinid(play.sample)
  local info = window > 0 and vim.fn.getwininfo(window)[1] or { width = 80, textoff = 0 }
  local lines = {}
  for _, line in ipairs(facts.lines(play, encoding)) do
    vim.list_extend(lines, facts.wrap(line, math.max(info.width - info.textoff, 20)))
  end
  vim.api.nvim_buf_set_extmark(play.sample, namespace, last - 1, 0, { virt_lines = lines })
  if window > 0 then
    show_sample(window)
  end
end

local update

---@param client vim.lsp.Client
---@param play ttsr.Playground
local function request(client, play)
  if not vim.api.nvim_buf_is_valid(play.sample) or not vim.api.nvim_buf_is_valid(play.rule) then
    play.is_busy = false
    return
  end
  local tick = vim.api.nvim_buf_get_changedtick(play.sample)
  local params = {
    text = text_of(play.sample),
    rule = { uri = vim.uri_from_bufnr(play.rule), text = text_of(play.rule) .. '\n' },
    kind = play.kind,
    tool = play.tool,
    chunk = play.chunk,
    shown = play.shown,
  }
  client:request('ttsr/testText', params, function(failure, result)
    play.is_busy = false
    if current ~= play or not vim.api.nvim_buf_is_valid(play.sample) then
      return
    elseif failure ~= nil then
      message.say(failure.message)
    elseif vim.api.nvim_buf_get_changedtick(play.sample) == tick then
      play.result, play.encoding = result, client.offset_encoding
      draw(play, play.encoding)
    end
    if play.is_dirty then
      update(play)
    end
  end)
end

---Tries the newest texts; while one request is under way, those in between are passed over.
---@param play ttsr.Playground
function update(play)
  if play.is_busy then
    play.is_dirty = true
    return
  end
  play.is_busy, play.is_dirty = true, false
  server.with_client(play.rule, function(client)
    request(client, play)
  end, function()
    play.is_busy = false
    server.say_why_none(play.rule)
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

---Tries the texts again with each change of a buffer, whoever makes it: the event TextChanged is of the current buffer
---alone, and comes only when Neovim waits for a key.
---@param buf integer
---@param play ttsr.Playground
local function follow(buf, play)
  local function changed()
    if current ~= play then
      return true
    end
    vim.schedule(function()
      if current == play then
        update(play)
      end
    end)
  end
  vim.api.nvim_buf_attach(buf, false, { on_lines = changed, on_reload = changed })
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

---Whether a buffer may be of a rule: it is where programs load rules from, or Markdown with frontmatter.
---@param buf integer
---@return boolean
local function can_be_rule(buf)
  local first = vim.api.nvim_buf_get_lines(buf, 0, 1, false)[1] or ''
  return rule_folders.has(vim.api.nvim_buf_get_name(buf)) or (vim.bo[buf].filetype == 'markdown' and vim.startswith(first, '---'))
end

---The rules around a file that is no rule: one of them is meant.
---@param buf integer
---@param open fun() opens the playground of the rule that is then in the current buffer
local function choose_rule(buf, open)
  local path = vim.api.nvim_buf_get_name(buf)
  local root = path ~= '' and rule_folders.root(buf) or nil
  local rules = vim.tbl_filter(rule_folders.has, root and rule_folders.files(root) or {})
  local what = vim.fn.isabsolutepath(path) == 1 and ("'%s'"):format(vim.fs.basename(path)) or 'this text'
  if #rules == 0 then
    return message.say(("%s is no rule: open a rule, or ':Ttsr new-rule' begins one"):format(what))
  end
  local prompt = ('TTSR: %s is no rule. For which rule is the playground?'):format(what)
  local options = {
    prompt = prompt,
    format_item = function(rule)
      return (vim.fs.basename(rule):gsub('%c', ' '))
    end,
  }
  vim.ui.select(rules, options, function(rule)
    if rule ~= nil then
      -- Not by an Ex command, which would interpret special characters in the name.
      local chosen = vim.fn.bufadd(rule)
      vim.bo[chosen].buflisted = true
      vim.api.nvim_win_set_buf(0, chosen)
      open()
    end
  end)
end

---Opens a playground for the rule in the current buffer; in another file, for a rule that the user chooses.
---@param kind string? what the sample is; nil: a stream in the scope of the rule
---@param tool string? the name of the tool where the kind is `tool`, else what follows
---@param chunk string? how many characters a delta has, 16 by default
function M.open(kind, tool, chunk)
  if kind ~= 'tool' then
    tool, chunk = nil, tool
  elseif tool == nil then
    return message.say("name the tool: ':Ttsr playground tool NAME'")
  end
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
  if not can_be_rule(rule) then
    return choose_rule(rule, function()
      M.open(kind or 'scope', tool or chunk, tool and chunk)
    end)
  end
  current = { rule = rule, sample = sample, kind = kind, tool = tool, chunk = math.floor(tonumber(chunk) or 16), is_busy = false, is_dirty = false }
  local window = vim.fn.bufwinid(sample)
  if window < 0 then
    window = windows.beside(sample)
  end
  vim.wo[window].statusline = '%#Title#Playground%*  ]d [d one delta  ]D [D all, none%<'
  vim.api.nvim_set_current_win(window)
  vim.api.nvim_clear_autocmds({ group = group })
  follow(rule, current)
  follow(sample, current)
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
