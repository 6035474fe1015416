-- `:Ttsr new-rule` creates a rule from the templates of `ttsr-ls new`.

local message = require('ttsr.message')
local program = require('ttsr.program')
local server = require('ttsr.server')

local M = {}

local TRIGGER = [[^\(condition\|astCondition\|question\|trigger\):]]

---Runs `ttsr-ls new`, and calls `done` with its output and the folder in which it ran. A message says why it cannot run.
---@param arguments string[]
---@param done fun(completed: vim.SystemCompleted, folder: string)
local function run(arguments, done)
  local command = program.server_command(vim.list_extend({ 'new' }, arguments))
  if program.why_not(command[1]) ~= nil then
    return server.say_why_none(0)
  end
  local client = server.client(0)
  local here = vim.uv.cwd() or '.'
  local folder = client and client.root_dir or vim.fs.root(here, '.git') or here
  vim.system(command, { text = true, cwd = folder, timeout = 20000 }, vim.schedule_wrap(function(completed)
    done(completed, folder)
  end))
end

---@param done vim.SystemCompleted
---@param folder string
local function open_new(done, folder)
  -- Status 1: the file was written, but no agent reads rules in that place. The findings of the file say so.
  if done.code > 1 then
    local reason = vim.trim(done.stderr or ''):gsub('^.*\n', ''):gsub('^ttsr%-ls[%w ]*: ', ''):gsub('^error: ', '')
    return message.say(reason)
  end
  -- Not by an Ex command, which would interpret special characters in the name.
  local buf = vim.fn.bufadd(vim.fn.fnamemodify(vim.fs.joinpath(folder, done.stdout:match('^[^\n]*')), ':.'))
  vim.bo[buf].buflisted = true
  -- A plugin for Markdown may fail here, for example because its parser is not installed. The rule is open nevertheless.
  local is_shown, problem = pcall(vim.api.nvim_win_set_buf, 0, buf)
  if vim.api.nvim_get_current_buf() == buf then
    vim.fn.search(TRIGGER, 'cw')
  end
  if not is_shown then
    message.say(problem)
  end
end

---@param name string
---@param template string
local function create(name, template)
  run({ name, '--template', template }, open_new)
end

---Asks for a template, and passes it to `chosen`.
---@param chosen fun(template: string)
local function ask_template(chosen)
  run({ '--list' }, function(done)
    if done.code ~= 0 then
      return message.say('the server is too old to list templates: update it')
    end
    local templates = {}
    for id, label in done.stdout:gmatch('(%S+)  +([^\n]+)') do
      templates[#templates + 1] = { id = id, label = label }
    end
    vim.ui.select(templates, {
      prompt = 'TTSR: Which template?',
      format_item = function(each)
        return each.label
      end,
    }, function(each)
      if each ~= nil then
        chosen(each.id)
      end
    end)
  end)
end

---Creates a rule and opens it. Asks for the name and the template without a name.
---@param name string?
---@param template string? the first one where there is a name
function M.new(name, template)
  if name ~= nil then
    return create(name, template or 'regex')
  end
  ask_template(function(chosen)
    vim.ui.input({ prompt = 'TTSR: Name of the rule, such as no-console-log: ' }, function(given)
      if given ~= nil and given ~= '' then
        create(given, chosen)
      end
    end)
  end)
end

return M
