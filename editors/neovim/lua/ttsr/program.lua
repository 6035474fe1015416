-- Whether a program can start. A script outlives the Python that it was installed with: it is executable still, and no
-- process starts.

local M = {}

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

return M
