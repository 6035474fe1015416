-- The folders that programs load rules from.

local M = {}

-- The files that programs load as rules: a copy of the server's table of locations, which a test compares.
local rule_files = {
  '.omp/rules/*.md', '.omp/rules/*.mdc', '.omp/agent/rules/*.md', '.omp/agent/rules/*.mdc', '.agent/rules/*.md',
  '.agent/rules/*.mdc', '.agents/rules/*.md', '.agents/rules/*.mdc', '.pi/rules/*.md', '.maestro/rules/*.md',
  '.claude/hookify.*.local.md', '.cursor/rules/**/*.mdc', '.cursor/rules/**/*.md', '.windsurf/rules/**/*.md',
  '.devin/rules/**/*.md', '.clinerules/**/*.md', '.github/instructions/**/*.instructions.md', '.claude/rules/**/*.md',
}

---@param folder string
---@param pattern string
---@return string[]
local function glob(folder, pattern)
  return vim.fn.glob(vim.fn.escape(folder, '*?[]{}`$\\') .. '/' .. pattern, true, true)
end

---@param folder string
local function has_rules(folder)
  for _, pattern in ipairs(rule_files) do
    if #glob(folder, pattern) > 0 then
      return true
    end
  end
  return false
end

---The rule files of a project, their tests, and its configuration.
---@param root string
---@return string[]
function M.files(root)
  local found = vim.list_extend(glob(root, 'ttsr-ls.toml'), glob(root, 'pyproject.toml'))
  for _, pattern in ipairs(rule_files) do
    vim.list_extend(found, glob(root, pattern))
  end
  for _, folder in ipairs(M.folders(root)) do
    vim.list_extend(found, glob(folder, '*.test.yml'))
    vim.list_extend(found, glob(folder, '*.test.yaml'))
  end
  return found
end

---The existing folders of a project in which programs look for rules.
---@param root string
---@return string[]
function M.folders(root)
  local found = {}
  for _, pattern in ipairs(rule_files) do
    local folder = vim.fs.joinpath(root, (pattern:gsub('/[^/]*%*.*$', '')))
    local stat = not vim.tbl_contains(found, folder) and vim.uv.fs_stat(folder) or nil
    if stat ~= nil and stat.type == 'directory' then
      found[#found + 1] = folder
    end
  end
  return found
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

---Whether a program would load a file as a rule. The file need not exist yet.
---@param path string
---@return boolean
function M.has(path)
  local normal = vim.fs.normalize(path)
  return vim.iter(rule_files):any(function(pattern)
    return vim.glob.to_lpeg('**/' .. pattern):match(normal) ~= nil
  end)
end

---Creates the folder of a new rule, if it does not exist.
---@param path string
function M.make(path)
  local folder = vim.fs.dirname(path)
  if vim.uv.fs_stat(folder) == nil and M.has(path) then
    vim.fn.mkdir(folder, 'p')
  end
end

return M
