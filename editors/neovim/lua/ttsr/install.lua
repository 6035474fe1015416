-- `:Ttsr install`: the server in an environment of its own, from the checkout that this plugin is in, else from the
-- package index. It is what runs where no `ttsr-ls` is on PATH.

local message = require('ttsr.message')

local M = {}

local is_windows = vim.fn.has('win32') == 1

---@return string
local function folder()
  return vim.fs.joinpath(vim.fn.stdpath('data') --[[@as string]], 'ttsr-ls')
end

---@param name string
local function program_in(name)
  return vim.fs.joinpath(folder(), is_windows and 'Scripts' or 'bin', is_windows and name .. '.exe' or name)
end

---The command that starts the server: the one on PATH, else the installed one.
---@return string[]
function M.command()
  local own = program_in('ttsr-ls')
  local takes_own = vim.fn.executable('ttsr-ls') == 0 and vim.fn.executable(own) == 1
  return { takes_own and own or 'ttsr-ls', 'serve' }
end

---The checkout that this file is in; nil in an export of the plugin alone.
---@return string?
local function checkout()
  local here = vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2))
  local root = here and vim.fs.joinpath(vim.fs.dirname(here), '..', '..', '..', '..')
  return root and vim.uv.fs_stat(vim.fs.joinpath(root, 'pyproject.toml')) and vim.fs.normalize(root) or nil
end

---@return string?
local function find_python()
  for _, name in ipairs({ 'python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11' }) do
    if vim.fn.executable(name) == 1 then
      local ask = { name, '-c', 'import sys; sys.exit(sys.version_info < (3, 11))' }
      if vim.system(ask):wait(10000).code == 0 then
        return name
      end
    end
  end
end

---Installs the server, and waits for it: plugin managers call this when they build the plugin.
---@return boolean
function M.install()
  local python = find_python()
  if python == nil then
    message.say('there is no Python 3.11 or later on PATH', vim.log.levels.ERROR)
    return false
  end
  message.say('installing the server, which takes a minute', vim.log.levels.INFO)
  -- Nothing is drawn while the programs run.
  vim.cmd.redraw()
  local steps = {
    { python, '-m', 'venv', '--clear', folder() },
    { program_in('python'), '-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', checkout() or 'ttsr-ls' },
    { program_in('ttsr-ls'), '--version' },
  }
  for _, step in ipairs(steps) do
    local done = vim.system(step, { text = true }):wait(600000)
    if done.code ~= 0 then
      vim.fn.delete(folder(), 'rf')
      local said = vim.trim((done.stdout or '') .. (done.stderr or ''))
      message.say(("the installation failed; ':Ttsr messages' says why\n%s\n%s"):format(table.concat(step, ' '), said), vim.log.levels.ERROR)
      return false
    end
  end
  vim.lsp.config('ttsr_ls', { cmd = M.command() })
  if vim.lsp.is_enabled('ttsr_ls') then
    require('ttsr.server').start_for_open_files()
  end
  message.say('the server is installed', vim.log.levels.INFO)
  return true
end

return M
