-- `:Ttsr install` installs the server into an environment of its own, from the checkout that contains this plugin, or
-- from a named source. The installed server runs if there is no `ttsr-ls` on PATH.

local message = require('ttsr.message')
local program = require('ttsr.program')

local M = {}

-- Servers have ten seconds to shut down before they are killed.
local STOPPING_TRIES = 100

-- The time that Neovim needs to finish an update after it changed a plugin.
local UPDATE_MS = 1000

local is_windows = vim.fn.has('win32') == 1

---@return string
local function folder()
  return vim.fs.joinpath(vim.fn.stdpath('data') --[[@as string]], 'ttsr-ls')
end

---The folder that keeps the former installation until the new one works.
---@return string
local function former()
  return folder() .. '.former'
end

---@param name string
local function program_in(name)
  return vim.fs.joinpath(folder(), is_windows and 'Scripts' or 'bin', is_windows and name .. '.exe' or name)
end

---The command that starts the server: the one on PATH, else the installed one.
---@return string[]
function M.command()
  local own = program_in('ttsr-ls')
  local takes_own = program.why_not('ttsr-ls') ~= nil and vim.fn.executable(own) == 1
  return { takes_own and own or 'ttsr-ls', 'serve' }
end

---The checkout that this file is in; nil in an export of the plugin alone.
---@return string?
local function checkout()
  local here = vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2))
  local root = here and vim.fs.joinpath(vim.fs.dirname(here), '..', '..', '..', '..')
  return root and vim.uv.fs_stat(vim.fs.joinpath(root, 'pyproject.toml')) and vim.fs.normalize(root) or nil
end

---The command that installs the server, as messages name it: an export has no server with it.
---@return string
function M.usage()
  return checkout() and ':Ttsr install' or ':Ttsr install SOURCE'
end

---The environment of git commands about the checkout. If git itself started Neovim as its editor, it has set these
---variables to another repository.
---@return table<string, string>
local function git_environment()
  local environment = vim.fn.environ()
  environment.GIT_DIR, environment.GIT_WORK_TREE = nil, nil
  return environment
end

---The commit that the checkout is at; nil where it is no repository of its own, such as a copy in another repository.
---@return string?
---@return string? failure why git does not say the commit of a repository
local function revision()
  local root = checkout()
  if root == nil or vim.uv.fs_stat(vim.fs.joinpath(root, '.git')) == nil then
    return nil
  end
  local output, failure = program.output({ 'git', '-C', root, 'rev-parse', 'HEAD' }, git_environment())
  return output and vim.trim(output), failure
end

---The file with the commit that the server was installed from.
---@return string
local function revision_file()
  return vim.fs.joinpath(folder(), 'revision')
end

---Whether the server is the installed one, of another commit than that of the plugin. Nil where git does not say the
---commit of the plugin.
---@return boolean?
---@return string? failure
function M.is_outdated()
  local file = M.command()[1] == program_in('ttsr-ls') and io.open(revision_file())
  if not file then
    return false
  end
  local installed = file:read('*a')
  file:close()
  local current, failure = revision()
  if failure ~= nil then
    return nil, failure
  end
  return current ~= nil and current ~= installed
end

---Called when `vim.pack` has changed a plugin. An update of this plugin does not update the installed server.
---@param change { kind: string, path: string }
function M.plugin_changed(change)
  local root = checkout()
  local is_ours = root ~= nil and vim.uv.fs_realpath(change.path) == vim.uv.fs_realpath(root)
  if is_ours and change.kind == 'update' and M.command()[1] == program_in('ttsr-ls') then
    -- Deferred, because Neovim's messages about the progress of the update would replace it.
    vim.defer_fn(function()
      message.say("the plugin is updated: ':Ttsr install' updates its server", vim.log.levels.INFO)
    end, UPDATE_MS)
  end
end

---@return string?
---@return string? older the version of a Python that is too old
local function find_python()
  local older
  for _, name in ipairs({ 'python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11' }) do
    if vim.fn.executable(name) == 1 then
      local ask = { name, '-c', 'import sys; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 11))' }
      local answer = vim.system(ask, { text = true }):wait(program.ANSWER_MS)
      if answer.code == 0 then
        return name
      end
      local version = (answer.stdout or ''):match('^%d+%.%d+')
      older = older or (version and ('%s is %s'):format(name, version))
    end
  end
  return nil, older
end

---The source for pip: the named one, else the checkout that contains the plugin. Never a name of the package index: the
---package is not published there, and anybody could register its name.
---@param named string? a folder, a wheel, or an address such as `git+https://…`
---@return string?
local function source_of(named)
  if named == nil then
    local around = checkout()
    if around == nil then
      message.say("name a source: ':Ttsr install SOURCE', a checkout, a wheel, or git+ADDRESS; ':help :Ttsr-install'")
    end
    return around
  end
  local path = vim.fs.normalize(vim.fn.fnamemodify(named, ':p'))
  if named:find('^git%+') then
    return named
  elseif vim.uv.fs_stat(vim.fs.joinpath(path, 'pyproject.toml')) or (path:find('%.whl$') and vim.uv.fs_stat(path)) then
    return path
  end
  message.say(("'%s' is no checkout, no wheel, and no address with 'git+' before it"):format(named))
end

---@param step string[] the command that failed
---@param done vim.SystemCompleted
local function failed(step, done)
  vim.fn.delete(folder(), 'rf')
  -- The former installation, if there was one, is used again.
  vim.uv.fs_rename(former(), folder())
  local output = vim.trim((done.stdout or '') .. (done.stderr or ''))
  message.say(("the installation failed; ':Ttsr messages' says why\n%s\n%s"):format(table.concat(step, ' '), output), vim.log.levels.ERROR)
end

---Starts the servers of all open files, as soon as those of the former installation have ended.
---@param tries integer how often to wait for them before they are killed
local function start_servers(tries)
  local running = vim.lsp.get_clients({ name = 'ttsr_ls' })
  if #running == 0 then
    return require('ttsr.server').start_for_open_files()
  elseif tries == STOPPING_TRIES or tries == 0 then
    for _, client in ipairs(running) do
      client:stop(tries == 0)
    end
  end
  vim.defer_fn(function()
    start_servers(tries - 1)
  end, 100)
end

---@param commit string? what was installed, where it was a checkout with the plugin
local function succeeded(commit)
  vim.fn.delete(former(), 'rf')
  if commit ~= nil then
    vim.fn.writefile({ commit }, revision_file(), 'b')
  end
  vim.lsp.config('ttsr_ls', { cmd = M.command() })
  if not vim.lsp.is_enabled('ttsr_ls') then
    return message.say("the server is installed. Now add vim.lsp.enable('ttsr_ls') to your init.lua")
  end
  start_servers(STOPPING_TRIES)
  message.say("the server is installed. ':Ttsr new-rule' begins a rule", vim.log.levels.INFO)
end

local is_installing = false

---@return boolean
function M.is_under_way()
  return is_installing
end

---Installs the server in the background. Without a user interface, as in a script that updates plugins, it waits for the end.
---@param named string? from where; nil: from the checkout that the plugin is in
function M.install(named)
  if is_installing then
    return message.say('the server is being installed', vim.log.levels.INFO)
  end
  local source = source_of(named)
  if source == nil then
    return
  end
  local python, older = find_python()
  if python == nil then
    local found = older and (': %s'):format(older) or ''
    local text = "there is no Python 3.11 or later on PATH%s\nWith uv, none is needed; see ':help :Ttsr-install'."
    return message.say(text:format(found), vim.log.levels.ERROR)
  end
  message.say('installing the server, which takes a minute', vim.log.levels.INFO)
  local steps = {
    { python, '-m', 'venv', '--clear', folder() },
    { program_in('python'), '-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', source },
    { program_in('ttsr-ls'), '--version' },
  }
  -- Read before the installation, during which the plugin may be updated.
  local commit = source == checkout() and revision() or nil
  vim.fn.delete(former(), 'rf')
  vim.uv.fs_rename(folder(), former())
  is_installing = true
  local function run(number)
    local step = steps[number]
    if step == nil then
      is_installing = false
      return succeeded(commit)
    end
    local is_started, failure = pcall(vim.system, step, { text = true, timeout = 600000 }, vim.schedule_wrap(function(done)
      if done.code ~= 0 then
        is_installing = false
        return failed(step, done)
      end
      run(number + 1)
    end))
    if not is_started then
      is_installing = false
      failed(step, { code = 1, signal = 0, stderr = tostring(failure) })
    end
  end
  run(1)
  if #vim.api.nvim_list_uis() == 0 then
    vim.wait(1800000, function()
      return not is_installing
    end, 50)
  end
end

return M
