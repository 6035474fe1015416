-- Commands, file types, and help tags of the plugin. It is loaded at every start, so everything else is loaded on use.

if vim.g.loaded_ttsr then
  return
end
vim.g.loaded_ttsr = true

-- Not every plugin manager creates the tags of the help. If the folder is read-only, only `:help ttsr` is missing.
local doc = vim.fs.joinpath(vim.fs.dirname(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))), 'doc')
local text, tags = vim.uv.fs_stat(doc .. '/ttsr.txt'), vim.uv.fs_stat(doc .. '/tags')
if text ~= nil and (tags == nil or tags.mtime.sec < text.mtime.sec) then
  pcall(vim.cmd.helptags, { args = { vim.fn.fnameescape(doc) } })
end

-- Rules of Cursor have a suffix that Neovim does not know.
vim.filetype.add({ extension = { mdc = 'markdown' } })

-- In a folder with rules, every file has the server: triggers are marked in it, and rules can be tested on it.
vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  group = vim.api.nvim_create_augroup('ttsr_ls.start', {}),
  callback = function(event)
    if not (vim.lsp.is_enabled and vim.lsp.is_enabled('ttsr_ls')) then
      require('ttsr.server').say_if_disabled(event.buf)
    else
      require('ttsr.server').opened(event.buf)
    end
  end,
})

vim.api.nvim_create_user_command('TtsrTest', function(command)
  local trial = require('ttsr.trial')
  local region = trial.region_of(command)
  if command.bang then
    trial.ask(region)
  else
    trial.test(command.fargs[1], command.fargs[2], region)
  end
end, {
  range = true,
  bang = true,
  nargs = '*',
  complete = function(start)
    return vim.tbl_filter(function(kind)
      return vim.startswith(kind, start)
    end, require('ttsr.trial').KINDS)
  end,
  desc = 'Try the rules on the selected text, or the whole buffer',
})

-- Commands of the lenses of a rule.
vim.lsp.commands['ttsr.runRuleTests'] = function()
  require('ttsr.rule_tests').run()
end
vim.lsp.commands['ttsr.showMatches'] = function()
  require('ttsr.rule_matches').show()
end
vim.lsp.commands['ttsr.openPlayground'] = function()
  require('ttsr.playground').open()
end

-- Command of the action "Open the documentation".
vim.lsp.commands['ttsr.openDocumentation'] = function(command)
  require('ttsr.documentation').open(command.arguments[1])
end

vim.api.nvim_create_user_command('TtsrWhy', function()
  require('ttsr.trial').why()
end, { desc = 'Say which rule of the last test matches here, and why it fires or not' })

vim.api.nvim_create_user_command('TtsrClearTest', function()
  require('ttsr.trial').close()
end, { desc = 'Remove the marks of the last test' })

vim.api.nvim_create_user_command('TtsrClearTriggers', function()
  require('ttsr').clear_triggers()
end, { desc = 'Clear the triggers of runs' })

local subcommands = {
  runs = function()
    require('ttsr.runs').open()
  end,
  quickfix = function()
    require('ttsr.runs').quickfix()
  end,
  test = function(what)
    require('ttsr.rule_tests').run(what == 'all')
  end,
  playground = function(...)
    require('ttsr.playground').open(...)
  end,
  latest = function()
    require('ttsr.runs').latest()
  end,
  check = function()
    require('ttsr.check').run()
  end,
  docs = function(code)
    require('ttsr.documentation').open_code(code)
  end,
  install = function(source)
    require('ttsr.install').install(source)
  end,
  why = function()
    require('ttsr.trial').why()
  end,
  ['clear-test'] = function()
    require('ttsr.trial').close()
  end,
  ['clear-triggers'] = function()
    require('ttsr').clear_triggers()
  end,
  ['new-rule'] = function(name, template)
    require('ttsr.new_rule').new(name, template)
  end,
  messages = function()
    require('ttsr.message').open()
  end,
  ['clear-runs'] = function()
    require('ttsr.runs').clear()
  end,
}

---Completions of the argument of a subcommand.
local arguments = {
  docs = function()
    return require('ttsr.documentation').codes()
  end,
  install = function(start)
    -- Neovim splits the arguments of a command at spaces without a backslash.
    return vim.tbl_map(function(path)
      return (path:gsub(' ', '\\ '))
    end, vim.fn.getcompletion((start:gsub('\\ ', ' ')), 'file'))
  end,
  test = function()
    return { 'all' }
  end,
  playground = function()
    return vim.list_extend({ 'scope' }, require('ttsr.trial').KINDS)
  end,
}

vim.api.nvim_create_user_command('Ttsr', function(command)
  local name = command.fargs[1]
  local run = subcommands[name]
  if run then
    run(unpack(command.fargs, 2))
  elseif name == nil then
    require('ttsr.message').say("name a subcommand: <Tab> lists them, ':help :Ttsr' explains them")
  else
    require('ttsr.message').say(("there is no ':Ttsr %s'; see ':help :Ttsr'"):format(name))
  end
end, {
  nargs = '*',
  desc = 'New rules, tests, runs of agents, and the installation of the server',
  complete = function(start, line)
    local name = line:match('Ttsr%s+(%S+)%s')
    local offered = arguments[name] and arguments[name](start) or (name == nil and vim.tbl_keys(subcommands) or {})
    table.sort(offered)
    return vim.tbl_filter(function(each)
      return vim.startswith(each, start)
    end, offered)
  end,
})

-- Neovim has its own plugin manager from 0.12 on.
if vim.fn.exists('##PackChanged') == 1 then
  vim.api.nvim_create_autocmd('PackChanged', {
    group = vim.api.nvim_create_augroup('ttsr_ls.updates', {}),
    callback = function(event)
      require('ttsr.install').plugin_changed(event.data)
    end,
  })
end

vim.api.nvim_create_autocmd('BufWritePre', {
  group = vim.api.nvim_create_augroup('ttsr_ls.folders', {}),
  callback = function(event)
    require('ttsr.rule_folders').make(event.match)
  end,
})
vim.api.nvim_create_autocmd('BufWritePost', {
  group = 'ttsr_ls.folders',
  callback = function(event)
    require('ttsr.attachment').written(event.buf)
  end,
})

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  group = vim.api.nvim_create_augroup('ttsr_ls.rule_tests', {}),
  pattern = { '*.test.yml', '*.test.yaml' },
  callback = function(event)
    -- Files of other programs have this suffix, too, so a rule of that name must be beside the file.
    local stem = event.match:gsub('%.test%.ya?ml$', '')
    if vim.uv.fs_stat(stem .. '.md') or vim.uv.fs_stat(stem .. '.mdc') then
      require('ttsr.rule_tests').attach(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  group = vim.api.nvim_create_augroup('ttsr_ls.configuration', {}),
  pattern = { 'ttsr-ls.toml', 'pyproject.toml' },
  callback = function(event)
    -- Only a pyproject.toml that has settings of ttsr-ls.
    local is_ours = vim.endswith(event.match, 'ttsr-ls.toml')
    if is_ours or vim.fn.search('ttsr.ls', 'nw') > 0 then
      require('ttsr.rule_tests').attach(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  group = vim.api.nvim_create_augroup('ttsr_ls.settings', {}),
  -- Settings of agents, which name rules: a copy of the server's table, which a test compares.
  pattern = {
    '*/.omp/agent/config.yml', '*/.omp/agent/config.yaml', '*/.omp/agent/settings.json', '*/.omp/settings.json',
    '*/.omp/config.yml', '*/.claude/settings.json', '*/.gemini/settings.json', '*/.cursor/settings.json',
    '*/.omp/config.yaml',
  },
  callback = function(event)
    require('ttsr.rule_tests').attach(event.buf)
  end,
})

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = vim.api.nvim_create_augroup('ttsr_ls.documentation', {}),
  pattern = 'ttsr-docs:/*',
  callback = function(event)
    require('ttsr.documentation').read(event.buf)
  end,
})

local group = vim.api.nvim_create_augroup('ttsr_ls.transcripts', {})
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'ttsr-transcript://*',
  callback = function(event)
    require('ttsr.transcript').read(event.buf)
  end,
})
vim.api.nvim_create_autocmd('BufWinEnter', {
  group = group,
  pattern = 'ttsr-transcript://*',
  callback = function(event)
    require('ttsr.transcript').entered(event.buf)
  end,
})
vim.api.nvim_create_autocmd('BufUnload', {
  group = group,
  pattern = 'ttsr-transcript://*',
  callback = function(event)
    require('ttsr.transcript').forget(event.buf)
  end,
})
