-- The folders that programs load rules from.

local M = {}

-- The files that programs load as rules, as the server has them in its table of locations; a test compares them.
local rule_files = {
  '.omp/rules/*.md', '.omp/rules/*.mdc', '.omp/agent/rules/*.md', '.omp/agent/rules/*.mdc', '.agent/rules/*.md',
  '.agent/rules/*.mdc', '.agents/rules/*.md', '.agents/rules/*.mdc', '.pi/rules/*.md', '.maestro/rules/*.md',
  '.claude/hookify.*.local.md', '.cursor/rules/**/*.mdc', '.cursor/rules/**/*.md', '.windsurf/rules/**/*.md',
  '.devin/rules/**/*.md', '.clinerules/**/*.md', '.github/instructions/**/*.instructions.md', '.claude/rules/**/*.md',
}

---@param folder string
local function has_rules(folder)
  for _, pattern in ipairs(rule_files) do
    if #vim.fn.glob(vim.fn.escape(folder, '*?[]{}`$\\') .. '/' .. pattern, true, true) > 0 then
      return true
    end
  end
  return false
end

---The nearest folder with rules above a file, up to its repository's. Rules in the home folder are those of all projects.
---@param bufnr integer
---@return string?
function M.root(bufnr)
  local home = vim.fs.normalize(vim.uv.os_homedir() or '')
  for folder in vim.fs.parents(vim.fs.normalize(vim.api.nvim_buf_get_name(bufnr))) do
    if folder == home then
      return nil
    end
    if has_rules(folder) then
      return folder
    end
    if vim.uv.fs_stat(folder .. '/.git') then
      return nil
    end
  end
end

---Whether a program loads a file as a rule, which need not exist yet.
---@param path string
---@return boolean
function M.has(path)
  local normal = vim.fs.normalize(path)
  return vim.iter(rule_files):any(function(pattern)
    return vim.glob.to_lpeg('**/' .. pattern):match(normal) ~= nil
  end)
end

---Makes the folder of a new rule. A folder that is there stays as it is.
---@param path string
function M.make(path)
  local folder = vim.fs.dirname(path)
  if vim.uv.fs_stat(folder) == nil and M.has(path) then
    vim.fn.mkdir(folder, 'p')
  end
end

return M
