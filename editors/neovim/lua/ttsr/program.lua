-- Whether a program can start, and what it answers. A script outlives the Python that it was installed with: it is executable still, and no
-- process starts.

local M = {}

-- How long a program may take that answers within a second by itself: other programs may have the machine.
M.ANSWER_MS = 60000

-- The exit code of a process that was stopped because it took too long.
local TIMED_OUT = 124

-- What the first lines of a script are read of.
local HEAD = 1024

---The interpreter that a script names and that does not exist; nil for anything else.
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
  -- Where a path is too long, or has blanks, pip has a shell start the interpreter.
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
  local said = vim.trim(done.stderr or '')
  return nil, said ~= '' and said or ('its exit code is %d'):format(done.code)
end

return M
