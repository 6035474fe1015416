-- Runs programs, and says why one cannot start. A script whose Python was removed is still executable, but does not start.

local M = {}

-- The time limit for programs that take less than a second on an idle machine.
M.ANSWER_MS = 60000

-- The exit code of a process that was stopped because it took too long.
local TIMED_OUT = 124

-- Bytes of a script that are read to find its interpreter.
local HEAD = 1024

---The missing interpreter of a script; nil if the interpreter exists, or the program is no script.
---@param program string
---@return string?
function M.missing_interpreter(program)
  local path = vim.fn.exepath(program)
  local file = path ~= '' and io.open(path, 'rb')
  if not file then
    return nil
  end
  local head = file:read(HEAD) or ''
  file:close()
  -- If the path is too long or has blanks, pip writes a script that starts the interpreter by a shell.
  local interpreter = head:match('^#![^\n]*\n\'\'\'exec\' "([^"\n]+)"')
    or head:match("^#![^\n]*\n'''exec' (%S+)")
    or head:match('^#![ \t]*([^%s]+)')
  return interpreter and vim.fn.executable(interpreter) == 0 and interpreter or nil
end

---Why a program cannot start, as the end of a sentence; nil where it can.
---@param program string
---@return string?
function M.why_not(program)
  if vim.fn.executable(program) == 0 then
    return ("there is no program '%s'"):format(program)
  end
  local interpreter = M.missing_interpreter(program)
  return interpreter and ("the Python of '%s' is gone: %s"):format(vim.fs.basename(program), interpreter)
end

---The command that runs `ttsr-ls` with other arguments than those of the server: the configured one up to `serve`.
---@param arguments string[]
---@return string[]
function M.server_command(arguments)
  local config = vim.lsp.config['ttsr_ls']
  local command = {}
  for _, part in ipairs(config and type(config.cmd) == 'table' and config.cmd or { 'ttsr-ls' }) do
    if part == 'serve' then
      break
    end
    command[#command + 1] = part
  end
  return vim.list_extend(command, arguments)
end

---Runs a program to its end.
---@param command string[]
---@param environment table<string, string>? its whole environment; nil: that of Neovim
---@return string? output nil if it failed
---@return string? failure
function M.output(command, environment)
  local options = { text = true, env = environment, clear_env = environment ~= nil }
  local is_started, running = pcall(vim.system, command, options)
  if not is_started then
    return nil, M.why_not(command[1]) or tostring(running)
  end
  local done = running:wait(M.ANSWER_MS)
  if done.code == 0 then
    return done.stdout
  elseif done.code == TIMED_OUT then
    return nil, ('%s took more than %d seconds'):format(vim.fs.basename(command[1]), M.ANSWER_MS / 1000)
  end
  local problem = vim.trim(done.stderr or '')
  return nil, problem ~= '' and problem or ('its exit code is %d'):format(done.code)
end

return M
